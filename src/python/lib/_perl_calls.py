# Parses calls of functions and declarations.
import functools, re
from _perl_format import formatted
from _perl_functions import function
from _perl_run import ERRNO, back, closure, invoke, jump, list_put
from _perl_values import Die, Env, HANDLES, Handle, N, NAME, SUBS, Unknown, const, die, flat, listed, num, text, true, v, yes
from _perl_words import COMPARE, LISTS, UNARY
class Calls:
    # Functions
    def called(self, word):
        if word in ('q', 'qq', 'qw', 'm', 's', 'tr', 'y', 'qr', 'qx') and self.ahead() not in ('', ',', ';', ')', '=') and self.ahead(2) != '=>':
            return self.quote_like(word)
        if word in ('my', 'our', 'local', 'state'):
            return self.declared(word)
        if word == 'sub':
            body = self.body()
            return N(lambda e: closure(body, e), kind='')
        if word == 'do':
            if self.see('{'):
                body = self.body()
                return listed(lambda e: body(Env(e)) or [])
            self.fail('do')
        if word == 'eval' and self.see('{'):
            body = self.body()
            def attempt(e):
                v('$@')[0] = ''
                try:
                    return body(Env(e)) or []
                except Die as d:
                    v('$@')[0] = d.args[0]
                    return [None]
            return listed(attempt)
        if word in ('next', 'last'):
            label = self.word()
            label = label if label.isupper() else ''
            self.pos += len(label)
            return N(lambda e: jump(word, label))
        if word in ('STDIN', 'STDOUT', 'STDERR', 'ARGV'):
            return N(lambda e: HANDLES[word])
        if word == '__FILE__':
            return N(lambda e: NAME[0])
        if word == '__LINE__':
            line = self.line()
            return const(line)
        if word in ('sort', 'map', 'grep', 'first', 'any', 'all') and (word not in ('any', 'all') or self.see('{')):
            return self.block_call(word)
        if word in ('print', 'printf', 'say'):
            return self.printing(word)
        if word == 'return':
            value = None if self.ahead() in (';', '}', '') or self.word() in ('if', 'unless') else self.commas()
            return N(lambda e: back(value, e))
        if word == 'open':
            return self.opening()
        line = self.line()
        if word in SUBS:
            args = self.arguments(False)
            l = flat(args) if args else lambda e: []
            return listed(lambda e: invoke(SUBS[word], l(e), word))
        unary = word in UNARY
        if unary or word in LISTS:
            args = self.arguments(unary)
            return function(self, word, args, line)
        if self.eat('('):
            args = self.args(')')
            def late(e):
                if SUBS.get(word) is None:
                    die('Undefined subroutine &main::%s called' % word, line)
                return invoke(SUBS[word], args(e), word)
            if not re.search(r'\bsub\s+' + word + r'\b', self.src):
                self.fail(word)
            return listed(late)
        self.fail(word)
    def arguments(self, unary):
        if self.eat('('):
            all = []
            while not self.eat(')'):
                all.append(self.assign())
                if not (self.eat(',') or self.eat('=>')) and not self.see(')'):
                    self.fail()
            return all
        if self.ahead() in ('', ';', ')', '}', ']', ',', '?', ':', '=') or self.word() in ('if', 'unless', 'or', 'and', 'for', 'foreach', 'while', 'until', 'eq', 'ne', 'x', 'cmp', 'lt', 'gt'):
            return []
        if unary:
            if self.ahead() in ('<', '>', '*', '|', '&', '.') or self.ahead(2) in ('==', '!=', '//', '+ ', '- '):
                return []
            return [self.binary(COMPARE + 1)]
        all = [self.assign()]
        while self.eat(',') or self.eat('=>'):
            if self.ahead() in ('', ';', ')', '}') :
                break
            all.append(self.assign())
        return all
    def declared(self, word):
        if word == 'local':
            value = self.postfix()
            return value
        mine = word != 'our'
        if self.eat('('):
            nodes = []
            while not self.eat(')'):
                self.ws()
                if self.eat('undef'):
                    nodes.append(N(lambda e: None, put=lambda e, x: x))
                else:
                    nodes.append(self.one_declared(mine))
                self.eat(',')
            return N(lambda e: [n.s(e) for n in nodes][-1], flat(nodes), list_put(nodes), 'list', nodes)
        return self.one_declared(mine)
    def one_declared(self, mine):
        self.ws()
        sigil = self.src[self.pos]
        self.pos += 1
        name = self.word()
        if sigil not in '$@%' or not name:
            self.fail('my ' + sigil)
        self.pos += len(name)
        return self.named(sigil, name, mine)
    def block_call(self, word):
        paren = self.eat('(')
        code = None
        if self.see('{'):
            body = self.body()
            code = lambda e: (body(Env(e)) or [None])
            self.eat(',')
        elif word == 'sort' and self.ahead() == '$':
            pass
        elif word == 'sort' and self.word() in SUBS:
            name = self.word()
            self.pos += len(name)
            code = lambda e: invoke(SUBS[name], [])
        elif word != 'sort':
            node = self.assign()
            self.need(',')
            code = lambda e: node.l(e)
        if paren:
            items = self.args(')')
        else:
            items = self.commas().l
        if word == 'sort':
            def ordered(e):
                values = items(e)
                if code is None:
                    return sorted(values, key=text)
                a, b = v('$a'), v('$b')
                def compare(x, y):
                    a[0], b[0] = x, y
                    return num(code(e)[-1])
                return sorted(values, key=functools.cmp_to_key(compare))
            return N(lambda e: len(ordered(e)), ordered)
        def each(e):
            out, cell = [], v('$_')
            old = cell[0]
            for x in items(e):
                cell[0] = x
                got = code(e)
                if word == 'map':
                    out.extend(got)
                elif true(got[-1] if got else None):
                    out.append(x)
                    if word in ('first', 'any'):
                        break
            cell[0] = old
            return out
        if word == 'first':
            return N(lambda e: (each(e) or [None])[0])
        if word == 'any':
            return N(lambda e: yes(each(e)))
        if word == 'all':
            return N(lambda e: yes(len(each(e)) == len(items(e))))
        return N(lambda e: len(each(e)), each)
    def printing(self, word):
        paren = self.see('(') and self.whole_call()
        if paren:
            self.eat('(')
        handle = None
        m = re.match(r'(STDERR|STDOUT|[A-Z][A-Z0-9]+)\s', self.src[self.pos:self.pos + 30] if not self.ahead().isspace() else '')
        if m and m.group(1) not in SUBS:
            self.pos += len(m.group(1))
            name = m.group(1)
            handle = lambda e: HANDLES.get(name)
        else:
            m = re.match(r'\{\s*(\$\w+|STDERR|STDOUT)\s*\}|(\$\w+)\s+["$\'@\w]', self.src[self.pos:self.pos + 60])
            end = (m.end(2) if m.group(2) else m.end()) if m else 0
            follows = self.src[self.pos + end:].lstrip()[:4] if m else ''
            if m and not re.match(r'(x|eq|ne|lt|gt|le|ge|cmp|if|or|and|for|unle|fore|whil)\b|(if|or|and|for|unless)', follows):
                self.pos += end
                name = m.group(1) or m.group(2)
                handle = (lambda e: e.find(name)[0]) if name[0] == '$' else (lambda e: HANDLES.get(name))
        if paren:
            args = self.args(')')
            empty = False
        else:
            nodes = self.arguments(False) if self.ahead() != '(' else [self.commas()]
            empty = not nodes
            args = flat(nodes) if nodes else lambda e: [v('$_')[0]]
        def run(e):
            all = args(e)
            h = handle(e) if handle else HANDLES['STDOUT']
            if not isinstance(h, Handle) or h.out is None:
                return ''
            if word == 'printf':
                made = formatted([text(all[0])] + all[1:]) if all else ''
            else:
                made = text(v('$,')[0]).join([text(x) for x in all]) + text(v('$\\')[0]) + ('\n' if word == 'say' else '')
            h.out.write(made)
            if true(v('$|')[0]):
                h.out.flush()
            return 1
        return N(run)
    def whole_call(self):
        # Whether the bracket ends the arguments.
        save = self.pos
        self.quoted('(')
        tail = self.ahead()
        ends = tail in ('', ';', '}', ')') or self.word() in ('if', 'unless', 'for', 'foreach', 'while', 'or', 'and')
        self.pos = save
        return ends
    def opening(self):
        paren = self.eat('(')
        self.ws()
        m = re.match(r'[A-Z][A-Z0-9_]*', self.src[self.pos:self.pos + 30])
        if m:
            self.pos += m.end()
            name = m.group(0)
            put = lambda e, h: HANDLES.__setitem__(name, h)
        else:
            put = self.assign().put
        self.need(',')
        rest = [self.assign()]
        while self.eat(','):
            rest.append(self.assign())
        if paren:
            self.need(')')
        def run(e):
            all = [text(n.s(e)) for n in rest]
            m = re.match(r'\s*(<|>>|>|\+<)?\s*(.*?)\s*$', all[0] if len(all) == 1 else all[0].split(':')[0].strip() + ' ' + all[1])
            mode = {'<': 'r', '>': 'w', '>>': 'a'}.get(m.group(1) or '<')
            if mode is None or m.group(2)[:1] == '|' or m.group(2)[-1:] == '|' or all[0].strip() in ('-|', '|-'):
                raise Unknown('open of ' + all[0])
            try:
                f = open(m.group(2), mode)
            except OSError as x:
                v('$!')[0] = x.strerror
                ERRNO[0] = x.errno
                return 0
            put(e, Handle(f if mode == 'r' else None, f if mode != 'r' else None))
            return 1
        return N(run)
