# Parses statements and blocks.
import re
from _perl_run import block, closure, keep, loop, modified, repeat
from _perl_values import ENDS, Env, N, ROOT, SUBS, const, true, v, yes
class Statements:
    # Statements
    def program(self):
        all = []
        while self.ahead():
            if self.word() in ('__END__', '__DATA__'):
                break
            all.append(self.statement())
        return block(all)
    def body(self):
        self.need('{')
        all = []
        while not self.eat('}'):
            if not self.ahead():
                self.fail()
            all.append(self.statement())
        return block(all)
    def statement(self):
        if self.eat(';'):
            return lambda e: None
        word = self.word()
        label = ''
        if word.isupper() and re.match(r'[A-Z_]\w*\s*:[^:]', self.src[self.pos:self.pos + 80]):
            label = word
            self.pos += len(word)
            self.need(':')
            word = self.word()
        if self.see('{') and not re.match(r'\{\s*(\}|(\w+|"[^"]*"|\'[^\']*\'|\$\w+)\s*(=>|,))', self.src[self.pos:self.pos + 60]):
            body = self.body()
            return lambda e: loop(label, lambda: body(Env(e)))
        if word in ('use', 'no', 'package'):
            self.pos += len(word)
            name = self.word()
            if name not in ('', 'strict', 'warnings', 'utf8', 'POSIX', 'List', 'List::Util', 'feature', 'main', 'v5', 'Time::HiRes', 'integer') or name == 'integer':
                if not re.match(r'v?5[\d.]*', self.ahead(8)):
                    self.fail('%s %s' % (word, name))
            stop = self.src.find(';', self.pos)
            self.pos = len(self.src) if stop < 0 else stop + 1
            return lambda e: None
        if word in ('BEGIN', 'END') and re.match(word + r'\s*\{', self.src[self.pos:self.pos + 20]):
            self.pos += len(word)
            body = self.body()
            if word == 'BEGIN':
                return lambda e: body(e)
            ENDS.append(body)
            return lambda e: None
        if word == 'sub' and re.match(r'sub\s+\w', self.src[self.pos:self.pos + 20]):
            self.pos += 3
            name = self.word()
            self.pos += len(name)
            SUBS[name] = None
            body = self.body()
            def define(e):
                SUBS[name] = closure(body, e)
            define(ROOT)
            return lambda e: None
        if word in ('if', 'unless'):
            return self.condition(word)
        if word in ('while', 'until'):
            self.pos += len(word)
            self.need('(')
            test = const(1) if self.see(')') else self.reads(self.expr())
            self.need(')')
            body = self.body()
            return lambda e: repeat(label, e, None, test, None, body, word == 'until')
        if word in ('for', 'foreach'):
            return self.walk(label)
        value = self.expr()
        run = lambda e: value.l(e) if value.many else [value.s(e)]
        while True:
            word = self.word()
            if word not in ('if', 'unless', 'while', 'until', 'for', 'foreach'):
                break
            self.pos += len(word)
            test = self.expr()
            run = modified(word, run, self.reads(test) if word == 'while' else test)
        if not self.eat(';') and not self.see('}') and self.ahead():
            self.fail()
        return run
    def condition(self, word):
        self.pos += len(word)
        self.need('(')
        test = self.expr()
        self.need(')')
        then, other = self.body(), None
        if self.see('elsif'):
            other = self.condition('elsif')
        elif self.eat('else'):
            other = self.body()
        def run(e):
            if true(test.s(e)) != (word == 'unless'):
                return then(Env(e))
            return other(Env(e)) if other else None
        return run
    def walk(self, label):
        self.eat('foreach') or self.eat('for')
        name, mine = '$_', False
        if self.eat('my') or self.eat('our'):
            mine = True
        if self.see('$'):
            self.pos += 1
            name = '$' + self.word()
            self.pos += len(name) - 1
        self.need('(')
        start = None if self.see(';') or self.see(')') else self.expr()
        if not mine and name == '$_' and self.eat(';'):
            test = None if self.see(';') else self.expr()
            self.need(';')
            step = None if self.see(')') else self.expr()
            self.need(')')
            body = self.body()
            def counted(e):
                e = Env(e)
                start and start.l(e)
                return repeat(label, e, None, test or const(1), step, body, False)
            return counted
        self.need(')')
        body = self.body()
        def run(e):
            array = start.name(e) if start is not None and start.kind == 'array' else None
            items = array if array is not None else start.l(e) if start else []
            i = 0
            while i < len(items):
                inner = Env(e)
                cell = [items[i]]
                saved = None
                if name == '$_':
                    saved, ROOT.vars['$_'] = v('$_'), cell
                else:
                    inner.vars[name] = cell
                try:
                    go = loop(label, lambda: body(inner), True)
                finally:
                    if saved is not None:
                        ROOT.vars['$_'] = saved
                if array is not None and i < len(array):
                    array[i] = cell[0]
                if not go:
                    break
                i += 1
        return run
    def reads(self, test):
        if test.kind == 'read':
            return N(lambda e: keep(v('$_'), test.s(e)))
        if test.kind == 'assign-read':
            return N(lambda e: yes(test.s(e) is not None))
        return test
