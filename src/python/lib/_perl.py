# The part of Perl that job scripts use, as closures: each expression has a function for its value and one for its list.
# A program with anything else is not computed. Hashes keep the order of insertion.
import functools, math, os, re, subprocess, sys, time
class Unknown(Exception):
    pass
class Die(Exception):
    pass
class Jump(Exception):
    pass
class Return(Exception):
    pass
class Ref:
    def __init__(self, kind, to):
        self.kind, self.to = kind, to
class Handle:
    def __init__(self, file=None, out=None):
        self.file, self.out, self.at_end, self.line = file, out, False, None
    def read(self):
        if self.line is not None:
            line, self.line = self.line, None
            return line
        if self.file is None:
            return None
        if v('$/')[0] is None:
            text = self.file.read()
            return text or None
        return self.file.readline() or None
    def ends(self):
        if self.line is None:
            self.line = self.read()
        return self.line is None
class Env:
    def __init__(self, parent=None):
        self.vars, self.parent = {}, parent
    def find(self, name):
        at = self
        while at is not None:
            if name in at.vars:
                return at.vars[name]
            at = at.parent
        return v(name)
    def make(self, name):
        self.vars[name] = made = fresh(name)
        return made
ROOT, SUBS, ENDS, HANDLES, GROUPS = Env(), {}, [], {}, [None]
def fresh(name):
    return [None] if name[0] == '$' else [] if name[0] == '@' else {}
def v(name):
    if name not in ROOT.vars:
        ROOT.vars[name] = fresh(name)
    return ROOT.vars[name]
NUMBER = re.compile(r'\s*([+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?))')
def num(x):
    if isinstance(x, (int, float)):
        return x
    if x is None:
        return 0
    if isinstance(x, Ref):
        return id(x.to)
    if isinstance(x, list):
        return len(x)
    m = NUMBER.match(x)
    if not m:
        low = x.strip().lower()
        return math.inf if low.startswith('inf') else math.nan if low.startswith('nan') else 0
    text = m.group(1)
    if '.' in text or 'e' in text or 'E' in text:
        return whole(float(text))
    return int(text)
def whole(x):
    return int(x) if isinstance(x, float) and x == x and abs(x) < 1e15 and x == int(x) else x
def text(x):
    if isinstance(x, str):
        return x
    if x is None:
        return ''
    if isinstance(x, bool):
        return '1' if x else ''
    if isinstance(x, int):
        return str(x) if abs(x) < 1 << 64 else '%.15g' % x
    if isinstance(x, float):
        if x != x:
            return 'NaN'
        if x in (math.inf, -math.inf):
            return 'Inf' if x > 0 else '-Inf'
        return '%.15g' % x
    if isinstance(x, Ref):
        return '%s(0x%x)' % (x.kind, 0x55d0c0de0000 + id(x.to) % 65536 * 24)
    if isinstance(x, Handle):
        return 'GLOB(0x55d0c0dea0)'
    return 'CODE(0x55d0c0de18)'
def true(x):
    return x is not None and x != '' and x != 0 and x != '0'
def yes(x):
    return 1 if x else ''
class N:
    def __init__(self, s, l=None, put=None, kind='', name=None):
        self.s, self.put, self.kind, self.name = s, put, kind, name
        self.l = l if l else lambda e: [s(e)]
        self.many = l is not None
def flat(nodes):
    if len(nodes) == 1:
        return nodes[0].l
    return lambda e: [x for n in nodes for x in n.l(e)]
def const(value):
    return N(lambda e: value, kind='const')
def scalar(f):
    return N(f)
def listed(f):
    return N(lambda e: (f(e) or [None])[-1], f)
def die(message, line):
    raise Die(message if message.endswith('\n') else '%s at %s line %d.\n' % (message, NAME, line))
def arith(op, line):
    def divide(a, b):
        if b == 0:
            die('Illegal division by zero', line)
        return whole(a / b)
    def rest(a, b):
        a, b = int(a), int(b)
        if b == 0:
            die('Illegal modulus zero', line)
        return a % b
    def power(a, b):
        try:
            return a ** b if isinstance(b, int) and b >= 0 and abs(a) ** b < 1 << 63 else whole(float(a) ** b)
        except (OverflowError, ZeroDivisionError):
            return math.inf
    f = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '/': divide, '%': rest, '**': power,
         '<<': lambda a, b: int(a) << int(b), '>>': lambda a, b: int(a) >> int(b), '&': lambda a, b: int(a) & int(b),
         '|': lambda a, b: int(a) | int(b), '^': lambda a, b: int(a) ^ int(b)}.get(op)
    if f:
        return lambda a, b: whole(f(num(a), num(b)))
    if op == '.':
        return lambda a, b: text(a) + text(b)
    f = {'==': lambda a, b: a == b, '!=': lambda a, b: a != b, '<': lambda a, b: a < b, '>': lambda a, b: a > b,
         '<=': lambda a, b: a <= b, '>=': lambda a, b: a >= b}.get(op)
    if f:
        return lambda a, b: yes(f(num(a), num(b)))
    f = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b, 'gt': lambda a, b: a > b,
         'le': lambda a, b: a <= b, 'ge': lambda a, b: a >= b}.get(op)
    if f:
        return lambda a, b: yes(f(text(a), text(b)))
    if op == '<=>':
        return lambda a, b: (num(a) > num(b)) - (num(a) < num(b))
    if op == 'cmp':
        return lambda a, b: (text(a) > text(b)) - (text(a) < text(b))
    if op == 'x':
        return lambda a, b: text(a) * max(int(num(b)), 0)
LEVELS = [['||', '//'], ['&&'], ['|', '^'], ['&'], ['==', '!=', '<=>', 'eq', 'ne', 'cmp'], ['<=', '>=', '<', '>', 'lt', 'gt', 'le', 'ge'],
          ['<<', '>>'], ['+', '-', '.'], ['*', '/', '%', 'x'], ['=~', '!~']]
COMPARE = 5
UNARY = ('defined ref scalar lc uc lcfirst ucfirst length chr ord int abs sqrt sin cos exp log hex oct rand srand exit shift pop chomp chop keys '
         'values each delete exists quotemeta sleep close chdir rmdir readline eof localtime floor ceil undef lock umask').split()
LISTS = ('print printf say push unshift splice join split sprintf die warn reverse sort map grep system exec open return index rindex substr unlink mkdir '
         'sum sum0 min max first uniq atan2 binmode fmod pow time wantarray select local exists').split()
WORD = re.compile(r'[A-Za-z_]\w*(::\w+)*')
CLOSE = {'(': ')', '[': ']', '{': '}', '<': '>'}
class Parser:
    def __init__(self, src, line=1):
        self.src, self.pos, self.first, self.pending = src, 0, line, []
    def line(self):
        return self.first + self.src.count('\n', 0, self.pos)
    def fail(self, what=None):
        if what is None:
            what = self.src[self.pos:self.pos + 20].split('\n')[0] or 'the end of the program'
        raise Unknown(what)
    def ws(self):
        src = self.src
        while self.pos < len(src):
            c = src[self.pos]
            if c == '\n' and self.pending:
                self.pos += 1
                for end, box, indent in self.pending:
                    lines = []
                    while self.pos < len(src):
                        stop = src.find('\n', self.pos)
                        stop = len(src) if stop < 0 else stop
                        line = src[self.pos:stop]
                        self.pos = stop + 1
                        if (line.strip() if indent else line) == end:
                            break
                        lines.append(line.lstrip() if indent else line)
                    box.append(''.join([l + '\n' for l in lines]))
                self.pending = []
            elif c in ' \t\r\n':
                self.pos += 1
                if c == '\n' and src[self.pos:self.pos + 1] == '=' and src[self.pos + 1:self.pos + 2].isalpha():
                    stop = src.find('\n=cut', self.pos)
                    self.pos = len(src) if stop < 0 else stop + 5
            elif c == '#':
                stop = src.find('\n', self.pos)
                self.pos = len(src) if stop < 0 else stop
            else:
                return
    def see(self, s):
        self.ws()
        if not self.src.startswith(s, self.pos):
            return False
        after = self.src[self.pos + len(s):self.pos + len(s) + 1]
        return not (s[-1].isalpha() and (after.isalnum() or after == '_'))
    def eat(self, s):
        if self.see(s):
            self.pos += len(s)
            return True
        return False
    def need(self, s):
        if not self.eat(s):
            self.fail()
    def word(self):
        self.ws()
        m = WORD.match(self.src[self.pos:self.pos + 80])
        return m.group(0) if m else ''
    def ahead(self, n=1):
        self.ws()
        return self.src[self.pos:self.pos + n]
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
    # Expressions
    def expr(self):
        left = self.conj()
        while self.word() in ('or', 'xor'):
            self.eat(self.word())
            left = logic('||', left, self.conj())
        return left
    def conj(self):
        left = self.negation()
        while self.see('and'):
            self.eat('and')
            left = logic('&&', left, self.negation())
        return left
    def negation(self):
        if self.eat('not'):
            of = self.negation()
            return N(lambda e: yes(not true(of.s(e))))
        return self.commas()
    def commas(self):
        first = self.assign()
        if not self.see(',') and not self.see('=>'):
            return first
        all = [first]
        while self.eat(',') or self.eat('=>'):
            if self.ahead() in ('', ')', ']', '}', ';') or self.word() in ('if', 'unless', 'for', 'foreach', 'while', 'or', 'and'):
                break
            all.append(self.assign())
        l = flat(all)
        return N(lambda e: [n.s(e) for n in all][-1], l, kind='list', name=all)
    def assign(self):
        left = self.choice()
        line = self.line()
        for op in ('**=', '||=', '//=', '&&=', '<<=', '>>=', '+=', '-=', '*=', '/=', '.=', '%=', 'x=', '|=', '&=', '^='):
            if self.ahead(len(op)) == op:
                self.pos += len(op)
                right, put = self.assign(), left.put
                if put is None:
                    self.fail(op)
                if op[:-1] in ('||', '//', '&&'):
                    test = {'||': lambda x: not true(x), '//': lambda x: x is None, '&&': true}[op[:-1]]
                    def maybe(e):
                        old = left.s(e)
                        return put(e, right.s(e)) if test(old) else old
                    return N(maybe)
                f = arith(op[:-1], line)
                return N(lambda e: put(e, f(left.s(e), right.s(e))))
        if self.ahead(2) in ('==', '=~', '=>') or not self.eat('='):
            return left
        right = self.assign()
        if left.put is None:
            self.fail('=')
        if left.kind in ('array', 'hash', 'list', 'slice'):
            def several(e):
                values = list(right.l(e))
                left.put(e, values)
                return values
            return N(lambda e: len(several(e)), several, left.put, kind=left.kind, name=left.name)
        return N(lambda e: left.put(e, right.s(e)), put=left.put, kind='assign-read' if right.kind == 'read' else 'assigned')
    def choice(self):
        test = self.range()
        if not self.eat('?'):
            return test
        a = self.assign()
        self.need(':')
        b = self.assign()
        return N(lambda e: a.s(e) if true(test.s(e)) else b.s(e), lambda e: a.l(e) if true(test.s(e)) else b.l(e))
    def range(self):
        left = self.binary(0)
        if self.ahead(3) == '...' or not self.eat('..'):
            return left
        right = self.binary(0)
        def span(e):
            a, b = left.s(e), right.s(e)
            if isinstance(a, str) and not NUMBER.match(a) and a:
                all = [a]
                while all[-1] != text(b) and len(all[-1]) <= len(text(b)) and len(all) < 1000000:
                    all.append(after(all[-1]))
                return all
            return list(range(int(num(a)), int(num(b)) + 1))
        return N(lambda e: self.fail('..'), span)
    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while True:
            op = self.operator(LEVELS[level])
            if not op:
                return left
            line = self.line()
            right = self.binary(level + 1)
            if op in ('||', '&&', '//'):
                left = logic(op, left, right)
            elif op in ('=~', '!~'):
                left = self.matched(op, left, right)
            elif op == 'x' and left.kind == 'list':
                left = (lambda left, right: N(None, lambda e: left.l(e) * max(int(num(right.s(e))), 0)))(left, right)
            else:
                left = (lambda f, left, right: N(lambda e: f(left.s(e), right.s(e))))(arith(op, line), left, right)
    def operator(self, ops):
        self.ws()
        for op in ops:
            if self.see(op):
                n = len(op)
                after = self.src[self.pos + n:self.pos + n + 1]
                if after == '=' and op not in ('=~', '!~', '<', '>', '<=', '>=', '==', '!=', 'eq', 'ne', 'lt', 'gt', 'le', 'ge') or op in ('&', '|', '<', '>', '*', '/') and after == op:
                    continue
                if op in ('<', '>') and after == '=' or op == '<=' and after == '>' or op == '.' and after == '.':
                    continue
                if op == 'x' and after == '=':
                    continue
                self.pos += n
                return op
        return ''
    def matched(self, op, left, right):
        if left.kind == 'list' and isinstance(left.name, list) and len(left.name) == 1:
            left = left.name[0]
        m = right.kind
        if m == 'match':
            node = right.name(left)
        elif m == 'const' or m in ('', 'scalar'):
            node = match_node(lambda e: text(right.s(e)), '', left)
        else:
            self.fail(op)
        return N(lambda e: yes(not true(node.s(e)))) if op == '!~' else node
    def unary(self):
        c = self.ahead()
        two = self.ahead(2)
        if c == '!' and two != '!~':
            self.pos += 1
            of = self.unary()
            return N(lambda e: yes(not true(of.s(e))))
        if c == '\\':
            self.pos += 1
            of = self.unary()
            if of.kind == 'array':
                return N(lambda e: Ref('ARRAY', of.name(e)))
            if of.kind == 'hash':
                return N(lambda e: Ref('HASH', of.name(e)))
            if of.kind == 'code':
                return N(lambda e: of.s(e))
            if of.kind == 'scalar':
                return N(lambda e: Ref('SCALAR', of.name(e)))
            self.fail('\\')
        if two in ('++', '--'):
            self.pos += 2
            of = self.unary()
            return N(lambda e: of.put(e, bumped(of.s(e), two)))
        if c == '-' and self.src[self.pos + 1:self.pos + 2] in 'edfrwxsz' and re.match(r'-[edfrwxsz]\s+["$\'/\w]', self.src[self.pos:self.pos + 20]) and not re.match(r'-\w\w', self.src[self.pos:self.pos + 4]):
            test = self.src[self.pos + 1]
            self.pos += 2
            of = self.unary()
            return N(lambda e: file_test(test, text(of.s(e))))
        if c == '-':
            self.pos += 1
            of = self.unary()
            return N(lambda e: (lambda x: -num(x) if not isinstance(x, str) or NUMBER.match(x) else '-' + x)(of.s(e)))
        if c == '+':
            self.pos += 1
            return self.unary()
        value = self.postfix()
        if self.ahead(2) == '**' and self.ahead(3) != '**=':
            self.pos += 2
            line, right = self.line(), self.unary()
            f = arith('**', line)
            return N(lambda e: f(value.s(e), right.s(e)))
        return value
    def postfix(self):
        value = self.subscripts(self.primary())
        two = self.src[self.pos:self.pos + 2] if not self.ahead().isspace() else ''
        if two in ('++', '--') and value.put:
            self.pos += 2
            def bump(e):
                old = value.s(e)
                value.put(e, bumped(old, two))
                return 0 if old is None else old
            return N(bump)
        return value
    def subscripts(self, value, plain=False):
        while True:
            two = self.src[self.pos:self.pos + 2] if plain else self.ahead(2)
            direct = value.kind == 'element'
            if two == '->' and self.src[self.pos + 2:self.pos + 3] in '[{' or direct and two[:1] in ('[', '{'):
                self.pos += 2 if two == '->' else 0
                value = self.element(value)
            elif two == '->' and self.src[self.pos + 2:self.pos + 3] == '(' and not plain:
                self.pos += 3
                args = self.args(')')
                value = (lambda f, args: listed(lambda e: invoke(f.s(e), args(e))))(value, args)
            elif two == '->' and self.src[self.pos + 2:self.pos + 4] == '@*':
                self.pos += 4
                value = self.deref('@', value)
            else:
                return value
    def element(self, base):
        def target(e, kind):
            r = base.s(e)
            if r is None and base.put:
                r = Ref(kind, [] if kind == 'ARRAY' else {})
                base.put(e, r)
            if not isinstance(r, Ref) or r.kind != kind:
                raise Die('Not %s reference at %s line %d.\n' % ('an ARRAY' if kind == 'ARRAY' else 'a HASH', NAME, self.line()))
            return r.to
        if self.src[self.pos] == '[':
            return self.at_index(lambda e: target(e, 'ARRAY'))
        return self.at_key(lambda e: target(e, 'HASH'))
    def at_index(self, array):
        self.pos += 1
        at = self.expr()
        self.need(']')
        return index_node(array, at)
    def at_key(self, hash):
        self.pos += 1
        key = self.key()
        self.need('}')
        return key_node(hash, key)
    def key(self):
        m = re.match(r'\s*(-?\w+)\s*\}', self.src[self.pos:self.pos + 60])
        if m and not m.group(1).isdigit():
            self.pos += m.end() - 1
            return const(m.group(1))
        return self.expr()
    def args(self, end):
        all = []
        while not self.eat(end):
            all.append(self.assign())
            if not (self.eat(',') or self.eat('=>')) and not self.see(end):
                self.fail()
        return flat(all) if all else lambda e: []
    def deref(self, sigil, ref):
        kind = {'@': 'ARRAY', '%': 'HASH', '$': 'SCALAR'}[sigil]
        def target(e):
            r = ref.s(e)
            if r is None and ref.put and sigil != '$':
                r = Ref(kind, [] if sigil == '@' else {})
                ref.put(e, r)
            if not isinstance(r, Ref) or r.kind != kind:
                raise Die('Not %s reference at %s line %d.\n' % ({'@': 'an ARRAY', '%': 'a HASH', '$': 'a SCALAR'}[sigil], NAME, self.line()))
            return r.to
        return variable(sigil, target)
    def named(self, sigil, name, mine):
        full = sigil + name
        if mine:
            node = variable(sigil, lambda e: e.find(full))
            return N(lambda e: (e.make(full), node.s(e))[1], lambda e: (e.make(full), node.l(e))[1] if sigil == '$' else node.l(e) if full in e.vars else e.make(full) and [],
                     lambda e, x: (e.make(full), node.put(e, x))[1], node.kind, lambda e: e.vars[full] if full in e.vars else e.make(full))
        return variable(sigil, lambda e: e.find(full))
    def sigiled(self, plain=False):
        sigil = self.src[self.pos]
        self.pos += 1
        rest = self.src[self.pos:self.pos + 80]
        if sigil == '$' and rest[:1] == '#':
            m = re.match(r'#(\w+)', rest)
            if m:
                self.pos += m.end()
                name = '@' + m.group(1)
                return N(lambda e: len(e.find(name)) - 1)
            if rest[1:2] in '{$':
                self.pos += 1
                inner = self.inner()
                return N(lambda e: len(inner.s(e).to) - 1)
        m = re.match(r'(\^\w|[A-Za-z_]\w*(::\w+)*|\d+)', rest)
        if not m and sigil == '$':
            m = re.match(r'''[&_,;.!?@/\\0|"$]''' if not plain else r'[&,;.!?@0]', rest)
            if m and m.group(0) == '$' and rest[1:2] in ('{', '$') + tuple('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'):
                m = None
        if m:
            name = m.group(0)
            self.pos += m.end()
            after = self.src[self.pos:self.pos + 1]
            if sigil == '$' and after == '[' and not (plain and not re.match(r'\[(-?\d+|\$\w+([-+]\d+)?|\$#\w+)\]', self.src[self.pos:self.pos + 30])):
                return self.at_index(lambda e: e.find('@' + name))
            if sigil == '$' and after == '{':
                return self.at_key(lambda e: e.find('%' + name))
            if sigil == '@' and (after in ('[', '{') if not plain else re.match(r'\[[-\d,. $\w]+\]', self.src[self.pos:self.pos + 40])):
                return self.slice(name, after)
            if sigil == '$' and (name.isdigit() and name != '0' or name == '&'):
                return N(lambda e: group(0 if name == '&' else int(name)))
            if name == '0':
                return N(lambda e: NAME)
            return self.named(sigil, name, False)
        if rest[:1] in ('{', '$'):
            inner = self.inner()
            after = self.src[self.pos:self.pos + 1]
            if sigil == '$' and after in ('[', '{'):
                return self.element(inner)
            if isinstance(inner.kind, str) and inner.kind.startswith('name:'):
                return self.named(sigil, inner.kind[5:], False)
            after = self.src[self.pos:self.pos + 40]
            if sigil == '@' and (after[:1] in ('[', '{') if not plain else re.match(r'\[[-\d,. $\w]+\]', after)):
                self.fail('a slice of a reference')
            return self.deref(sigil, inner)
        self.fail(sigil + rest[:1])
    def inner(self):
        if self.src[self.pos] == '{':
            m = re.match(r'\{\s*(\w+)\s*\}', self.src[self.pos:self.pos + 60])
            if m:
                self.pos += m.end()
                return N(None, kind='name:' + m.group(1))
            self.pos += 1
            value = self.expr()
            self.need('}')
            return value
        self.pos += 1
        m = re.match(r'\w+', self.src[self.pos:self.pos + 60])
        if not m:
            self.fail('$$')
        self.pos += m.end()
        return self.named('$', m.group(0), False)
    def slice(self, name, after):
        self.pos += 1
        at = self.expr()
        self.need(CLOSE[after])
        if after == '[':
            return N(None, lambda e: [index_get(e.find('@' + name), int(num(i))) for i in at.l(e)])
        def put(e, values):
            for i, k in enumerate(at.l(e)):
                e.find('%' + name)[text(k)] = values[i] if i < len(values) else None
        return N(None, lambda e: [e.find('%' + name).get(text(k)) for k in at.l(e)], put, 'slice')
    def primary(self):
        c = self.ahead()
        src = self.src
        if c == '':
            self.fail()
        if c in '$@' or c == '%' and re.match(r'%[A-Za-z_{$+]', src[self.pos:self.pos + 2]):
            return self.sigiled()
        m = re.match(r'0[xX][0-9a-fA-F]+|0[bB][01]+|\d[\d_]*\.\d[\d_]*([eE][+-]?\d+)?|\d[\d_]*([eE][+-]?\d+)?|\.\d+', src[self.pos:self.pos + 60])
        if m:
            t = m.group(0).replace('_', '')
            self.pos += m.end()
            if t[:2].lower() == '0x':
                return const(int(t, 16))
            if t[:2].lower() == '0b':
                return const(int(t[2:], 2))
            if len(t) > 1 and t[0] == '0' and t.isdigit():
                return const(int(t, 8))
            return const(num(t))
        if c == '"':
            return self.interpolated(self.quoted('"'))
        if c == "'":
            return const(self.quoted("'").replace("\\'", "'").replace('\\\\', '\\'))
        if c == '`':
            return self.backticks(self.quoted('`'))
        if c == '/':
            return self.regex(self.quoted('/'))
        if c == '(':
            self.pos += 1
            if self.eat(')'):
                value = N(lambda e: None, lambda e: [], lambda e, x: x, 'list', [])
            else:
                inner = self.expr()
                self.need(')')
                nodes = inner.name if inner.kind == 'list' and isinstance(inner.name, list) else [inner]
                value = N(inner.s, inner.l, list_put(nodes), 'list', nodes)
            if self.see('['):
                self.pos += 1
                at = self.expr()
                self.need(']')
                l = value.l
                return listed(lambda e: [index_get(l(e), int(num(i))) for i in at.l(e)])
            return value
        if c == '[':
            self.pos += 1
            all = self.args(']')
            return N(lambda e: Ref('ARRAY', list(all(e))))
        if c == '{':
            self.pos += 1
            all = self.args('}')
            return N(lambda e: Ref('HASH', pairs(all(e))))
        if c == '<':
            m = re.match(r'<<(~?)("?|\'?)(\w+)("?|\'?)', src[self.pos:self.pos + 60])
            if m:
                self.pos += m.end()
                box = []
                self.pending.append((m.group(3), box, bool(m.group(1))))
                save = self.pos
                stop = src.find('\n', self.pos)
                # The text follows the line.
                at = self.pos
                self.pos = len(src) if stop < 0 else stop
                self.ws()
                body, self.src = box[0] if box else '', src[:stop] + '\n' + src[self.pos:] if stop >= 0 else src
                self.pos = at
                return const(body) if m.group(2) == "'" else self.interpolated(body)
            m = re.match(r'<(\$?\w*)>', src[self.pos:self.pos + 40])
            if m:
                self.pos += m.end()
                return self.reader(m.group(1))
            self.fail()
        if c == '&':
            self.pos += 1
            name = self.word()
            self.pos += len(name)
            if self.eat('('):
                args = self.args(')')
                return listed(lambda e: invoke(SUBS.get(name), args(e), name))
            return N(lambda e: SUBS.get(name), kind='code')
        word = self.word()
        if not word:
            self.fail()
        if re.match(word + r'\s*=>', src[self.pos:self.pos + len(word) + 20]):
            self.pos += len(word)
            return const(word)
        self.pos += len(word)
        return self.called(word)
    def quoted(self, quote):
        self.pos += 1
        close, depth, start = CLOSE.get(quote, quote), 1, self.pos
        while self.pos < len(self.src):
            c = self.src[self.pos]
            if c == '\\':
                self.pos += 1
            elif c == close:
                depth -= 1
                if depth == 0:
                    self.pos += 1
                    return self.src[start:self.pos - 1]
            elif c == quote:
                depth += 1
            self.pos += 1
        self.fail('a text without its end')
    def flags(self):
        m = re.match(r'[a-z]*', self.src[self.pos:self.pos + 12])
        self.pos += m.end()
        return m.group(0)
    def regex(self, body):
        flags, pattern = self.flags(), self.interpolated(body, True)
        return match_over(lambda e: text(pattern.s(e)), flags)
    def quote_like(self, word):
        q = self.ahead()
        body = self.quoted(q)
        if word == 'q':
            return const(body.replace('\\\\', '\\'))
        if word == 'qq':
            return self.interpolated(body)
        if word == 'qw':
            all = body.split()
            return N(lambda e: all[-1] if all else None, lambda e: list(all), kind='list', name=[const(x) for x in all])
        if word == 'qx':
            return self.backticks(body)
        if word == 'm':
            return self.regex(body)
        if word == 'qr':
            flags, pattern = self.flags(), self.interpolated(body, True)
            return N(lambda e: '(?%s:%s)' % (''.join([f for f in flags if f in 'imsx']), text(pattern.s(e))) if any([f in 'imsx' for f in flags]) else '(?:%s)' % text(pattern.s(e)))
        if q in CLOSE:
            other = self.quoted(self.ahead())
        else:
            self.pos -= 1
            other = self.quoted(q)
        flags = self.flags()
        if word in ('tr', 'y'):
            return translate_over(body, other, flags)
        pattern = self.interpolated(body, True)
        if 'e' in flags:
            with_ = Parser(other, self.line()).program()
            made = lambda e: text((with_(Env(e)) or [None])[-1])
        else:
            node = self.interpolated(other)
            made = lambda e: text(node.s(e))
        return substitute_over(lambda e: text(pattern.s(e)), made, flags)
    def backticks(self, body):
        command = self.interpolated(body)
        def run(e):
            sys.stdout.flush()
            done = subprocess.run(text(command.s(e)), shell=True, stdout=subprocess.PIPE, text=True)
            v('$?')[0] = done.returncode << 8
            return done.stdout
        return N(run, lambda e: run(e).splitlines(True))
    def reader(self, name):
        def handle(e):
            if name.startswith('$'):
                return e.find(name)[0]
            return HANDLES.get(name or 'ARGV')
        def one(e):
            h = handle(e)
            line = h.read() if isinstance(h, Handle) else None
            if line is not None:
                v('$.')[0] = num(v('$.')[0]) + 1
            return line
        def all(e):
            lines = []
            while True:
                line = one(e)
                if line is None:
                    return lines
                lines.append(line)
        return N(one, all, kind='read')
    def interpolated(self, body, regex=False):
        parts, out, i = [], [], 0
        def flush():
            if out:
                whole = ''.join(out)
                out.clear()
                parts.append(lambda e: whole)
        while i < len(body):
            c = body[i]
            if c == '\\' and i + 1 < len(body):
                n = body[i + 1]
                if regex:
                    out.append(c + n)
                    i += 2
                    continue
                m = re.match(r'x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{1,2})|([0-7]{2,3})', body[i + 1:i + 12])
                if m:
                    code = int(m.group(1) or m.group(2), 16) if m.group(3) is None else int(m.group(3), 8)
                    out.append(chr(code))
                    i += 1 + m.end()
                    continue
                if n in 'ULEQul':
                    self.fail('\\' + n)
                out.append({'n': '\n', 't': '\t', 'r': '\r', '0': '\0', 'a': '\a', 'e': '\x1b', 'f': '\f'}.get(n, n))
                i += 2
                continue
            following = body[i + 1:i + 2]
            if c == '$' and (re.match(r'[A-Za-z_{$\d&!,.;0?@#]', following) if not regex else re.match(r'[A-Za-z_{]', following)) or c == '@' and re.match(r'[A-Za-z_{$]', following):
                sub = Parser(body, self.line())
                sub.pos = i
                node = sub.sigiled(True)
                node = sub.subscripts(node, True)
                i = sub.pos
                flush()
                if c == '@':
                    parts.append((lambda node: lambda e: ' '.join([text(x) for x in node.l(e)]))(node))
                else:
                    parts.append((lambda node: lambda e: text(node.s(e)))(node))
                continue
            out.append(c)
            i += 1
        flush()
        if not parts:
            return const('')
        if len(parts) == 1:
            return N(parts[0], kind='const')
        return N(lambda e: ''.join([p(e) for p in parts]))
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
            return N(lambda e: NAME)
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
def keep(cell, line):
    cell[0] = line
    return yes(line is not None)
ERRNO = [0]
def block(all):
    def run(e):
        last = None
        for f in all:
            last = f(e)
        return last
    return run
def modified(word, run, test):
    if word == 'if':
        return lambda e: run(e) if true(test.s(e)) else None
    if word == 'unless':
        return lambda e: run(e) if not true(test.s(e)) else None
    if word in ('while', 'until'):
        return lambda e: repeat('', e, None, test, None, run, word == 'until')
    def each(e):
        saved = v('$_')
        array = test.name(e) if test.kind == 'array' else None
        for i, x in enumerate(list(test.l(e))):
            ROOT.vars['$_'] = [x]
            go = loop('', lambda: run(e), True)
            if array is not None and i < len(array):
                array[i] = v('$_')[0]
            if not go:
                break
        ROOT.vars['$_'] = saved
    return each
def loop(label, run, bare=False):
    try:
        value = run()
    except Jump as j:
        if j.args[1] and j.args[1] != label:
            raise
        return j.args[0] == 'next'
    return True if bare else value
def repeat(label, e, start, test, step, body, until):
    while true(test.s(e)) != until:
        inner = Env(e)
        if not loop(label, lambda: body(inner), True):
            break
        step and step.s(e)
def jump(word, label):
    raise Jump(word, label)
def back(value, e):
    raise Return([] if value is None else value.l(e))
def closure(body, env):
    def run(args):
        e = Env(env)
        e.vars['@_'] = args
        try:
            return body(e) or []
        except Return as r:
            return r.args[0]
    return run
DEPTH = [0]
def invoke(f, args, name=''):
    if f is None:
        raise Die('Undefined subroutine &main::%s called at %s.\n' % (name, NAME))
    DEPTH[0] += 1
    if DEPTH[0] > 60:
        raise Unknown('more than 60 nested calls')
    try:
        return f(list(args))
    finally:
        DEPTH[0] -= 1
def logic(op, a, b):
    test = {'&&': true, '//': lambda x: x is None, '||': lambda x: not true(x)}[op]
    def either(e, of):
        x = a.s(e)
        return of(e) if test(x) else x
    def several(e):
        x = a.s(e)
        return b.l(e) if test(x) else [x]
    return N(lambda e: either(e, b.s), several)
def bumped(x, op):
    if op == '++' and isinstance(x, str) and x and not NUMBER.match(x) and re.match(r'[a-zA-Z]*[0-9]*$', x):
        return after(x)
    return num(x) + (1 if op == '++' else -1)
def after(s):
    out, i = list(s), len(s) - 1
    while i >= 0:
        c = out[i]
        if c not in 'zZ9':
            out[i] = chr(ord(c) + 1)
            return ''.join(out)
        out[i] = {'z': 'a', 'Z': 'A', '9': '0'}[c]
        i -= 1
    return {'a': 'a', 'A': 'A', '0': '1'}[out[0]] + ''.join(out)
def index_get(array, i):
    return array[i] if -len(array) <= i < len(array) else None
def index_node(array, at):
    def put(e, x):
        a, i = array(e), int(num(at.s(e)))
        i = i + len(a) if i < 0 else i
        if i >= len(a):
            if i > 1000000:
                raise Unknown('an array of %d elements' % i)
            a.extend([None] * (i + 1 - len(a)))
        a[i] = x
        return x
    return N(lambda e: index_get(array(e), int(num(at.s(e)))), put=put, kind='element', name=('[', array, at))
def key_node(hash, key):
    def put(e, x):
        hash(e)[text(key.s(e))] = x
        return x
    return N(lambda e: hash(e).get(text(key.s(e))), put=put, kind='element', name=('{', hash, key))
def pairs(values):
    return {text(values[i]): values[i + 1] if i + 1 < len(values) else None for i in range(0, len(values), 2)}
def variable(sigil, find):
    if sigil == '$':
        def put(e, x):
            find(e)[0] = x
            return x
        return N(lambda e: find(e)[0], put=put, kind='scalar', name=find)
    def fill(e, values):
        if sigil == '@':
            find(e)[:] = values
        else:
            h = find(e)
            made = pairs(values)
            h.clear()
            h.update(made)
    if sigil == '@':
        return N(lambda e: len(find(e)), lambda e: list(find(e)), fill, 'array', find)
    return N(lambda e: len(find(e)), lambda e: [x for p in find(e).items() for x in p], fill, 'hash', find)
def list_put(nodes):
    if any([n.put is None for n in nodes]):
        return None
    def put(e, values):
        rest = list(values)
        for n in nodes:
            if n.kind in ('array', 'hash'):
                n.put(e, rest)
                rest = []
            else:
                n.put(e, rest.pop(0) if rest else None)
    return put
# Texts and patterns
CLASSES = {'alpha': 'a-zA-Z', 'digit': '0-9', 'alnum': 'a-zA-Z0-9', 'upper': 'A-Z', 'lower': 'a-z', 'space': r'\s', 'xdigit': '0-9a-fA-F', 'punct': '!-/:-@\\[-`{-~'}
COMPILED = {}
def pattern(p, flags):
    key = (p, flags)
    if key not in COMPILED:
        q = re.sub(r'\[:(\w+):\]', lambda m: CLASSES.get(m.group(1), ''), p)
        q = re.sub(r'\\([zhR])', lambda m: {'z': r'\Z', 'h': r'[ \t]', 'R': r'\r?\n'}[m.group(1)], q.replace('(?<', '(?P<').replace('(?P<=', '(?<=').replace('(?P<!', '(?<!'))
        number = sum([{'i': re.I, 'm': re.M, 's': re.S, 'x': re.X}.get(f, 0) for f in set(flags)])
        try:
            COMPILED[key] = re.compile(q, number)
        except Exception:
            raise Unknown('the pattern /%s/' % p)
    return COMPILED[key]
def group(n):
    m = GROUPS[0]
    return m.group(n) if m and n <= len(m.groups()) else None
POS = {}
def match_node(source, flags, on):
    def one(e):
        m = pattern(source(e), flags.replace('g', '')).search(text(on.s(e)))
        if m:
            GROUPS[0] = m
        return yes(m)
    def step(e):
        # Each `while (/.../g)` goes on behind the last match.
        where = on.name(e) if on.kind == 'scalar' else on
        s, key = text(on.s(e)), id(where)
        start = POS.get(key, 0)
        m = pattern(source(e), flags.replace('g', '')).search(s[start:]) if start <= len(s) else None
        if not m:
            POS.pop(key, None)
            return ''
        GROUPS[0] = m
        POS[key] = start + m.end() + (1 if m.end() == m.start() else 0)
        return 1
    def all(e):
        if 'g' not in flags:
            m = pattern(source(e), flags).search(text(on.s(e)))
            if m:
                GROUPS[0] = m
            return (list(m.groups()) or [1]) if m else []
        out = []
        for m in pattern(source(e), flags.replace('g', '')).finditer(text(on.s(e))):
            GROUPS[0] = m
            out.extend(m.groups() or [m.group(0)])
        return out
    return N(step if 'g' in flags else one, all)
HERE = N(lambda e: v('$_')[0], put=lambda e, x: keep_value(x), kind='scalar', name=lambda e: v('$_'))
def keep_value(x):
    v('$_')[0] = x
    return x
def match_over(source, flags):
    plain = match_node(source, flags, HERE)
    node = N(plain.s, plain.l, kind='match', name=lambda on: match_node(source, flags, on))
    node.source, node.flags = source, flags
    return node
def substitute_over(source, made, flags):
    def over(on):
        def run(e):
            s, count = text(on.s(e)), [0]
            def one(m):
                count[0] += 1
                GROUPS[0] = m
                return made(e)
            p = pattern(source(e), ''.join([f for f in flags if f in 'imsx']))
            new = p.sub(one, s, count=0 if 'g' in flags else 1)
            if 'r' in flags:
                return new
            if count[0]:
                on.put(e, new)
            return count[0] or ''
        return N(run)
    here = over(HERE)
    return N(here.s, kind='match', name=over)
def spread(s):
    out, i = [], 0
    while i < len(s):
        if s[i] == '\\' and i + 1 < len(s):
            out.append({'n': '\n', 't': '\t'}.get(s[i + 1], s[i + 1]))
            i += 2
        elif i + 2 < len(s) and s[i + 1] == '-':
            out.extend([chr(c) for c in range(ord(s[i]), ord(s[i + 2]) + 1)])
            i += 3
        else:
            out.append(s[i])
            i += 1
    return out
def translate_over(a, b, flags):
    if 'c' in flags or 's' in flags:
        raise Unknown('tr with the flags ' + flags)
    a, b = spread(a), spread(b)
    if not b and 'd' not in flags:
        b = a
    table = {c: (b[i] if i < len(b) else '' if 'd' in flags else b[-1]) for i, c in reversed(list(enumerate(a)))}
    def over(on):
        def run(e):
            s = text(on.s(e))
            new = ''.join([table.get(c, c) for c in s])
            if 'r' in flags:
                return new
            if new != s:
                on.put(e, new)
            return len([c for c in s if c in table])
        return N(run)
    here = over(HERE)
    return N(here.s, kind='match', name=over)
FORMAT = re.compile(r'%(%|([-+ 0#]*)(\*|\d+)?(\.(\*|\d+))?[hlqLV]*([diuoxXeEfFgGscb]))')
def formatted(all):
    args = list(all[1:])
    def one(m):
        if m.group(1) == '%':
            return '%'
        flags, width, precision, letter = m.group(2), m.group(3) or '', m.group(4) or '', m.group(6)
        if width == '*':
            width = str(int(num(args.pop(0) if args else 0)))
        if precision == '.*':
            precision = '.' + str(int(num(args.pop(0) if args else 0)))
        x = args.pop(0) if args else None
        if letter == 's':
            return ('%' + flags.replace('0', '') + width + precision + 's') % text(x)
        if letter == 'c':
            return chr(int(num(x)))
        if letter in 'diu':
            x = num(x)
            if isinstance(x, float) and (x != x or x in (math.inf, -math.inf)):
                return '-1'
            return ('%' + flags + width + precision + 'd') % int(x)
        if letter == 'b':
            made = bin(int(num(x)))[2:]
            return made.rjust(int(width or 0), '0' if '0' in flags else ' ')
        if letter in 'oxX':
            return ('%' + flags + width + precision + letter) % int(num(x))
        return ('%' + flags + width + precision + letter) % float(num(x))
    return FORMAT.sub(one, all[0])
def file_test(test, name):
    try:
        s = os.stat(name)
    except OSError:
        return ''
    if test == 's':
        return s.st_size or ''
    if test == 'z':
        return yes(s.st_size == 0)
    if test == 'd':
        return yes(os.path.isdir(name))
    if test == 'f':
        return yes(os.path.isfile(name))
    if test == 'e':
        return 1
    return yes(os.access(name, {'r': 4, 'w': 2, 'x': 1}[test]))
def function(p, word, args, line):
    first = args[0] if args else HERE
    l = flat(args) if args else lambda e: []
    simple = {'lc': lambda x: text(x).lower(), 'uc': lambda x: text(x).upper(), 'lcfirst': lambda x: text(x)[:1].lower() + text(x)[1:],
              'ucfirst': lambda x: text(x)[:1].upper() + text(x)[1:], 'length': lambda x: None if x is None else len(text(x)), 'chr': lambda x: chr(int(num(x))),
              'ord': lambda x: ord(text(x)[0]) if text(x) else 0, 'int': lambda x: int(num(x)) if num(x) == num(x) and abs(num(x)) != math.inf else num(x),
              'abs': lambda x: abs(num(x)), 'sin': lambda x: math.sin(num(x)), 'cos': lambda x: math.cos(num(x)), 'exp': lambda x: whole(math.exp(num(x))),
              'hex': lambda x: int(text(x), 16), 'oct': lambda x: int(text(x), 0) if text(x)[:1] == '0' and text(x)[1:2] in 'xXbB' and len(text(x)) > 1 else int(text(x) or '0', 8),
              'quotemeta': lambda x: re.sub(r'(\W)', r'\\\1', text(x)), 'floor': lambda x: math.floor(num(x)), 'ceil': lambda x: math.ceil(num(x)),
              'ref': lambda x: x.kind if isinstance(x, Ref) else 'CODE' if callable(x) else 'GLOB' if isinstance(x, Handle) else ''}
    if word in simple:
        f = simple[word]
        return N(lambda e: f(first.s(e)))
    if word in ('sqrt', 'log'):
        def root(e):
            x = num(first.s(e))
            if x < 0 or word == 'log' and x == 0:
                die("Can't take %s of %s" % (word, text(x)), line)
            return whole(math.sqrt(x)) if word == 'sqrt' else whole(math.log(x))
        return N(root)
    if word == 'defined':
        if first.kind == 'code':
            return N(lambda e: yes(first.s(e)))
        return N(lambda e: yes(first.s(e) is not None))
    if word == 'scalar':
        return N(lambda e: first.s(e))
    if word == 'undef':
        if not args:
            return N(lambda e: None)
        return N(lambda e: (first.put(e, [] if first.kind in ('array', 'hash') else None), None)[1])
    if word in ('shift', 'pop', 'push', 'unshift', 'splice'):
        if args and args[0].kind != 'array':
            p.fail(word)
        array = args[0].name if args else (lambda e: e.find('@_') if inside(e) else v('@ARGV'))
        rest = flat(args[1:]) if len(args) > 1 else lambda e: []
        if word in ('shift', 'pop'):
            return N(lambda e: (lambda a: (a.pop(0) if word == 'shift' else a.pop()) if a else None)(array(e)))
        def grow(e):
            a = array(e)
            if word == 'push':
                a.extend(rest(e))
            else:
                a[0:0] = rest(e)
            return len(a)
        if word != 'splice':
            return N(grow)
        def cut(e):
            a, more = array(e), rest(e)
            at = int(num(more[0])) if more else 0
            at = at + len(a) if at < 0 else at
            n = int(num(more[1])) if len(more) > 1 else len(a) - at
            out = a[at:at + n]
            a[at:at + n] = more[2:]
            return out
        return listed(cut)
    if word in ('keys', 'values', 'each'):
        if first.kind == 'array' and word != 'each':
            return N(lambda e: len(first.name(e)), lambda e: list(range(len(first.name(e)))) if word == 'keys' else first.l(e))
        if first.kind != 'hash':
            p.fail(word)
        if word == 'each':
            def pair(e):
                h = first.name(e)
                at = POS.get(id(h), 0)
                keys = list(h)
                POS[id(h)] = at + 1 if at < len(keys) else 0
                return [keys[at], h[keys[at]]] if at < len(keys) else []
            return N(lambda e: (pair(e) or [None])[0], pair)
        return N(lambda e: len(first.name(e)), lambda e: list(first.name(e).keys()) if word == 'keys' else list(first.name(e).values()))
    if word in ('exists', 'delete'):
        if not isinstance(first.name, tuple):
            p.fail(word)
        kind, base, key = first.name
        if kind == '[':
            return N(lambda e: yes(-len(base(e)) <= int(num(key.s(e))) < len(base(e)))) if word == 'exists' else p.fail(word)
        return N(lambda e: yes(text(key.s(e)) in base(e)) if word == 'exists' else base(e).pop(text(key.s(e)), None))
    if word in ('chomp', 'chop'):
        def cut_end(e):
            if first.kind in ('array', 'list'):
                first.put(e, [text(x).rstrip('\n') for x in first.l(e)])
                return 1
            s = text(first.s(e))
            new = s[:-1] if word == 'chop' or s.endswith('\n') else s
            if first.kind == 'assigned' or first.kind == 'assign-read':
                raise Unknown('chomp of an assignment')
            first.put(e, new)
            return len(s) - len(new)
        if first.kind in ('assigned', 'assign-read'):
            p.fail('chomp(my ... = ...)') if first.put is None else None
            return N(lambda e: first.put(e, text(first.s(e)).rstrip('\n')) and 1)
        return N(cut_end)
    if word == 'join':
        return N(lambda e: (lambda a: text(a[0]).join([text(x) for x in a[1:]]))(l(e)))
    if word == 'split':
        by = args[0] if args else const(' ')
        on = args[1] if len(args) > 1 else HERE
        most = args[2] if len(args) > 2 else None
        source = by.name if by.kind == 'match' else None
        def parts(e):
            s, limit = text(on.s(e)), int(num(most.s(e))) if most else 0
            if s == '':
                return []
            if source is None and text(by.s(e)) == ' ':
                s, p_ = s.lstrip(), pattern(r'\s+', '')
            elif source is None:
                p_ = pattern(text(by.s(e)), '')
            else:
                p_ = pattern(by.source(e), by.flags)
            if p_.pattern == '':
                out = list(s)
            else:
                out = p_.split(s, limit - 1 if limit > 0 else 0)
                if out and out[0] == '' and p_.match(s) and p_.match(s).end() == 0:
                    out = out[1:]
            if limit == 0:
                while out and (out[-1] is None or out[-1] == ''):
                    out.pop()
            return out
        return N(lambda e: len(parts(e)), parts)
    if word == 'sprintf':
        return N(lambda e: (lambda a: formatted([text(a[0])] + a[1:]))(l(e)))
    if word == 'reverse':
        return N(lambda e: ''.join([text(x) for x in (l(e) if args else [v('$_')[0]])])[::-1], lambda e: l(e)[::-1])
    if word in ('die', 'warn'):
        def complain(e):
            message = ''.join([text(x) for x in l(e)]) or ('Died' if word == 'die' else "Warning: something's wrong")
            if word == 'die':
                die(message, line)
            sys.stdout.flush()
            sys.stderr.write(message if message.endswith('\n') else '%s at %s line %d.\n' % (message, NAME, line))
            return 1
        return N(complain)
    if word == 'exit':
        return N(lambda e: leave(int(num(first.s(e))) & 255 if args else 0))
    if word in ('index', 'rindex'):
        def find(e):
            a = l(e)
            s, t = text(a[0]), text(a[1])
            if word == 'index':
                return s.find(t, max(int(num(a[2])), 0) if len(a) > 2 else 0)
            return s.rfind(t) if len(a) < 3 else s.rfind(t, 0, int(num(a[2])) + len(t))
        return N(find)
    if word == 'substr':
        def piece(e):
            s, at = text(first.s(e)), int(num(args[1].s(e)))
            at = max(at + len(s), 0) if at < 0 else at
            if at > len(s):
                return s, len(s), len(s)
            n = int(num(args[2].s(e))) if len(args) > 2 and args[2].s(e) is not None else len(s)
            end = at + n if n >= 0 else len(s) + n
            return s, at, max(min(end, len(s)), at)
        def put(e, x):
            s, a, b = piece(e)
            first.put(e, s[:a] + text(x) + s[b:])
            return x
        def get(e):
            s, a, b = piece(e)
            if len(args) > 3:
                put(e, args[3].s(e))
            return s[a:b]
        return N(get, put=put)
    if word in ('system', 'exec'):
        def run(e):
            sys.stdout.flush()
            a = [text(x) for x in l(e)]
            code = subprocess.call(a[0], shell=True) if len(a) == 1 else subprocess.call(a)
            v('$?')[0] = code << 8 if code >= 0 else -code
            if word == 'exec':
                leave(code & 255)
            return v('$?')[0]
        return N(run)
    if word == 'time':
        return N(lambda e: int(time.time()))
    if word == 'sleep':
        return N(lambda e: (sys.stdout.flush(), time.sleep(int(num(first.s(e)))), int(num(first.s(e))))[2])
    if word == 'localtime':
        def clock(e):
            t = time.localtime(num(first.s(e)) if args else time.time())
            return [t.tm_sec, t.tm_min, t.tm_hour, t.tm_mday, t.tm_mon - 1, t.tm_year - 1900, (t.tm_wday + 1) % 7, t.tm_yday - 1, 0]
        return N(lambda e: time.strftime('%a %b %e %H:%M:%S %Y', time.localtime(num(first.s(e)) if args else time.time())).replace('%e', ''), clock)
    if word in ('close', 'binmode', 'select', 'srand', 'umask', 'lock'):
        def close(e):
            h = first.s(e) if args else None
            if word == 'close' and isinstance(h, Handle):
                (h.file or h.out).close()
            return 1
        return N(close)
    if word == 'eof':
        return N(lambda e: yes((lambda h: h.ends() if isinstance(h, Handle) else True)(first.s(e) if args else HANDLES['ARGV'])))
    if word == 'unlink':
        return N(lambda e: len([os.remove(text(x)) for x in l(e) if os.path.exists(text(x))]))
    if word in ('mkdir', 'rmdir', 'chdir'):
        def change(e):
            try:
                {'mkdir': os.mkdir, 'rmdir': os.rmdir, 'chdir': os.chdir}[word](text(first.s(e)))
                return 1
            except OSError as x:
                v('$!')[0] = x.strerror
                return 0
        return N(change)
    if word in ('sum', 'sum0', 'min', 'max', 'uniq'):
        def over(e):
            a = l(e)
            if word == 'uniq':
                return list({text(x): x for x in a}.values())
            n = [num(x) for x in a]
            if not n:
                return [0 if word == 'sum0' else None]
            return [whole({'sum': sum, 'sum0': sum, 'min': min, 'max': max}[word](n))]
        return N(lambda e: len(over(e)), over) if word == 'uniq' else listed(over)
    if word in ('atan2', 'fmod', 'pow'):
        return N(lambda e: whole({'atan2': math.atan2, 'fmod': math.fmod, 'pow': math.pow}[word](num(args[0].s(e)), num(args[1].s(e)))))
    p.fail(word)
def inside(e):
    while e is not None:
        if '@_' in e.vars:
            return True
        e = e.parent
    return False
def leave(code):
    raise SystemExit(code)
NAME = '-e'
def complain(what, code):
    sys.stdout.flush()
    sys.stderr.write(what)
    sys.stderr.flush()
    return code
class Files(Handle):
    # What `<>` reads: the files of the command line, or the standard input.
    def __init__(self):
        Handle.__init__(self)
        self.started, self.source, self.edit, self.suffix = False, None, False, ''
    def following(self):
        argv = v('@ARGV')
        if self.out_file:
            self.out_file.close()
            self.out_file, HANDLES['STDOUT'].out = None, sys.stdout
        while argv:
            name = text(argv.pop(0))
            try:
                self.source = open(name)
            except OSError as x:
                complain("Can't open %s: %s.\n" % (name, x.strerror), 0)
                continue
            v('$ARGV')[0] = name
            if self.edit:
                data = self.source.read()
                if self.suffix:
                    open(name + self.suffix, 'w').write(data)
                self.source = Lines(data)
                self.out_file = HANDLES['STDOUT'].out = open(name, 'w')
            return True
        return False
    out_file = None
    def read(self):
        if self.line is not None:
            line, self.line = self.line, None
            return line
        if not self.started:
            self.started = True
            if not v('@ARGV'):
                self.source = sys.stdin
            elif not self.following():
                return None
        while self.source is not None:
            line = self.source.read() if v('$/')[0] is None else self.source.readline()
            if line:
                return line
            if not self.following():
                self.source = None
        return None
class Lines:
    def __init__(self, data):
        self.data, self.at = data, 0
    def readline(self):
        stop = self.data.find('\n', self.at)
        stop = len(self.data) if stop < 0 else stop + 1
        line, self.at = self.data[self.at:stop], stop
        return line
    def read(self):
        line, self.at = self.data[self.at:], len(self.data)
        return line
def main(words):
    global NAME
    texts, loops, prints, lines, fields, by, files = [], False, False, False, False, ' ', Files()
    words = list(words)
    slurp = False
    while words and words[0].startswith('-') and len(words[0]) > 1:
        w = words.pop(0)
        if w == '--':
            break
        i = 1
        while i < len(w):
            c = w[i]
            i += 1
            if c in 'eE':
                if not words:
                    return complain('No code specified for -%s.\n' % c, 2)
                texts.append(words.pop(0))
            elif c == 'n':
                loops = True
            elif c == 'p':
                loops = prints = True
            elif c == 'l':
                lines = True
            elif c == 'a':
                fields = loops = True
            elif c == 'F':
                by, i, fields, loops = w[i:].strip('/'), len(w), True, True
            elif c == 'i':
                files.edit, files.suffix, i = True, w[i:], len(w)
            elif c == '0':
                slurp = w[i:] == '777'
                if not slurp:
                    raise Unknown('-0' + w[i:])
                i = len(w)
            elif c in 'wWtT':
                pass
            elif c in 'Mm':
                if w[i:].split('=')[0] not in ('strict', 'warnings', 'List::Util', 'POSIX'):
                    raise Unknown('-M' + w[i:])
                i = len(w)
            else:
                raise Unknown('-' + c)
    if texts:
        source = '\n'.join(texts)
    elif words:
        NAME = words.pop(0)
        try:
            source = open(NAME).read()
        except OSError as x:
            return complain('Can\'t open perl script "%s": %s\n' % (NAME, x.strerror), 2)
    else:
        NAME = '-'
        source = sys.stdin.read()
    v('$,'), v('$!'), v('$/'), v('$\\')
    ROOT.vars['$/'] = [None if slurp else '\n']
    ROOT.vars['@ARGV'], ROOT.vars['%ENV'] = list(words), dict(os.environ)
    ROOT.vars['$$'], ROOT.vars['$@'] = [os.getpid()], ['']
    HANDLES.update({'STDOUT': Handle(None, sys.stdout), 'STDERR': Handle(None, sys.stderr), 'STDIN': Handle(sys.stdin), 'ARGV': files})
    run = Parser(source).program()
    code = 0
    try:
        try:
            if not loops:
                run(ROOT)
            else:
                if lines:
                    v('$\\')[0] = '\n'
                here = v('$_')
                while True:
                    line = files.read()
                    if line is None:
                        break
                    v('$.')[0] = num(v('$.')[0]) + 1
                    here[0] = line[:-1] if lines and line.endswith('\n') else line
                    if fields:
                        s = here[0]
                        v('@F')[:] = s.split() if by == ' ' else trimmed(pattern(by, '').split(s))
                    go = loop('LINE', lambda: run(Env(ROOT)), True)
                    if prints:
                        HANDLES['STDOUT'].out.write(text(here[0]) + ('\n' if lines else ''))
                    if not go:
                        break
        finally:
            for end in ENDS[::-1]:
                end(ROOT)
    except Die as d:
        code = complain(d.args[0], ERRNO[0] or 255)
    except SystemExit as s:
        code = s.code
    except Return:
        pass
    except (Unknown, Jump) as u:
        code = complain('perl: not simulated in sandbatch: %s\n' % u.args[0], 127)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as x:
        code = complain('perl: not simulated in sandbatch: such a program (%s)\n' % x, 127)
    sys.stdout.flush()
    return code
def trimmed(all):
    while all and all[-1] == '':
        all.pop()
    return all
def start():
    words = sys.argv[1:]
    try:
        code = main(words)
    except Unknown as u:
        if NAME in ('-e', '-'):
            code = complain('perl: not simulated in sandbatch: %s (man perl)\n' % u.args[0], 127)
        else:
            # The file runs as a model, which says so.
            code = subprocess.call(['perl'] + words, env=dict(os.environ, SANDBATCH_MODEL='1'))
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 141
    sys.exit(code)
