# The part of R that one-liners and short scripts use: vectors, lists, functions, loops and output. A program with anything
# else is not computed.
import math, os, re, subprocess, sys, time
class Unknown(Exception):
    pass
class RError(Exception):
    pass
class Leave(Exception):
    pass
class V:
    # A vector: logical, integer, double or character, or a list. None is NA.
    def __init__(self, kind, x, names=None):
        self.kind, self.x, self.names = kind, x, names
class F:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env
RANK = ['NULL', 'logical', 'integer', 'double', 'character', 'list']
NULL = V('NULL', [])
def lgl(b): return V('logical', [b])
def dbl(x): return V('double', [x])
def txt(s): return V('character', [s])
TOKEN = re.compile(r'\s*(#[^\n]*|\n|0[xX][0-9a-fA-F]+L?|(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)L?|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|`[^`]*`|[A-Za-z.][\w.]*(::[\w.]+)?|<<-|<-|->|%[^%\n]*%|<=|>=|==|!=|&&|\|\||\|>|\[\[|[-+*/^:()\[\]{},;$!<>=&|?~@\\])')
def tokens(src):
    out, at = [], 0
    src = src.replace('\r\n', '\n')
    while at < len(src):
        rest = src[at:at + 4000]
        if not rest.strip(' \t'):
            break
        m = TOKEN.match(rest.lstrip(' \t'))
        if not m or m.group(0).startswith('\n') and m.group(1) != '\n':
            m2 = re.match(r'[ \t]*\n', rest)
            if m2:
                out.append('\n')
                at += m2.end()
                continue
            if not m:
                raise Unknown(rest.strip()[:20])
        at += len(rest) - len(rest.lstrip(' \t')) + m.end()
        if not m.group(1).startswith('#'):
            out.append(m.group(1))
    return out + ['\n']
ESC = {'n': '\n', 't': '\t', '\\': '\\', '"': '"', "'": "'", 'r': '\r', '0': '\0', 'a': '\a'}
WORDS = ('if', 'else', 'for', 'while', 'repeat', 'function', 'break', 'next', 'in')
LEVELS = [('||', '|'), ('&&', '&'), ('==', '!=', '<', '>', '<=', '>='), ('+', '-'), ('*', '/')]
class Parser:
    def __init__(self, src):
        self.t, self.i, self.deep = tokens(src), 0, 0
    def peek(self):
        if self.deep:
            self.skip()
        return self.t[self.i] if self.i < len(self.t) else ''
    def skip(self):
        while self.i < len(self.t) and self.t[self.i] == '\n':
            self.i += 1
    def take(self, s=None):
        t = self.peek()
        if s is not None and t != s:
            raise Unknown(t.strip() or 'the end of the program')
        self.i += 1
        return t
    def program(self):
        all = []
        while True:
            while self.i < len(self.t) and self.t[self.i] in ('\n', ';'):
                self.i += 1
            if self.i >= len(self.t):
                return all
            all.append(self.expr())
            if self.peek() not in ('\n', ';', ''):
                raise Unknown(self.peek())
    def expr(self):
        left = self.level(0)
        t = self.peek()
        if t in ('<-', '=', '<<-'):
            self.i += 1
            self.skip()
            return ('set', left, self.expr(), t == '<<-')
        if t == '->':
            self.i += 1
            return ('set', self.level(0), left, False)
        if t in ('~', '?', '|>', '@', '\\'):
            raise Unknown(t)
        return left
    def level(self, n):
        if n == 2 and self.peek() == '!':
            self.i += 1
            return ('call', ('name', '!'), [(None, self.level(2))])
        if n == len(LEVELS):
            return self.special()
        left = self.level(n + 1)
        while self.peek() in LEVELS[n]:
            op = self.take()
            self.skip()
            left = ('call', ('name', op), [(None, left), (None, self.level(n + 1))])
        return left
    def special(self):
        left = self.range()
        while self.peek()[:1] == '%':
            op = self.take()
            self.skip()
            left = ('call', ('name', op), [(None, left), (None, self.range())])
        return left
    def range(self):
        left = self.unary()
        while self.peek() == ':':
            self.i += 1
            left = ('call', ('name', ':'), [(None, left), (None, self.unary())])
        return left
    def unary(self):
        if self.peek() in ('-', '+'):
            op = self.take()
            return ('call', ('name', op), [(None, self.unary())])
        return self.power()
    def power(self):
        left = self.postfix()
        if self.peek() == '^':
            self.i += 1
            return ('call', ('name', '^'), [(None, left), (None, self.unary())])
        return left
    def postfix(self):
        e = self.primary()
        while True:
            t = self.peek()
            if t == '(':
                e = ('call', e, self.args('('))
            elif t == '[[':
                self.i += 1
                e = ('at2', e, self.inside(']')[0][1])
                self.take(']')
            elif t == '[':
                self.i += 1
                a = self.inside(']')
                if len(a) != 1:
                    raise Unknown('an index with a comma')
                e = ('at', e, a[0][1])
            elif t == '$':
                self.i += 1
                e = ('at2', e, ('const', txt(self.take().strip('"`'))))
            else:
                return e
    def args(self, open):
        self.take('(')
        return self.inside(')')
    def inside(self, close):
        self.deep, save = self.deep + 1, self.deep
        all = []
        while self.peek() != close:
            name = None
            if self.i + 1 < len(self.t) and re.match(r'["\'`A-Za-z.]', self.peek()) and self.t[self.i + 1] == '=':
                name = self.take().strip('"\'`')
                self.take('=')
            all.append((name, self.expr() if self.peek() not in (',', close) else ('const', None)))
            if self.peek() == ',':
                self.take()
        self.deep = save
        self.take(close)
        return all
    def primary(self):
        t = self.take()
        if t[:1].isdigit() or t[:1] == '.' and t[1:2].isdigit():
            if t[-1] == 'L':
                return ('const', V('integer', [int(float(t[:-1])) if t[:2].lower() != '0x' else int(t[:-1], 16)]))
            return ('const', dbl(float(int(t, 16)) if t[:2].lower() == '0x' else float(t)))
        if t[:1] in '"\'':
            return ('const', txt(re.sub(r'\\(.)', lambda m: ESC.get(m.group(1)) or bad(m.group(0)), t[1:-1])))
        if t == '(':
            self.deep, save = self.deep + 1, self.deep
            e = self.expr()
            self.skip()
            self.deep = save
            self.skip()
            self.take(')')
            return ('paren', e)
        if t == '{':
            save, self.deep, all = self.deep, 0, []
            while True:
                while self.i < len(self.t) and self.t[self.i] in ('\n', ';'):
                    self.i += 1
                if self.peek() == '}':
                    break
                all.append(self.expr())
                if self.peek() not in ('\n', ';', '}'):
                    raise Unknown(self.peek())
            self.i += 1
            self.deep = save
            return ('block', all)
        if t == 'if':
            test = self.head()
            then = self.expr()
            at = self.i
            if self.deep or self.nested():
                self.skip()
            if self.peek() == 'else':
                self.i += 1
                self.skip()
                return ('if', test, then, self.expr())
            self.i = at
            return ('if', test, then, None)
        if t == 'while':
            test = self.head()
            return ('while', test, self.expr())
        if t == 'repeat':
            self.skip()
            return ('while', ('const', lgl(True)), self.expr())
        if t == 'for':
            self.take('(')
            self.deep, save = self.deep + 1, self.deep
            name = self.take()
            self.take('in')
            over = self.expr()
            self.take(')')
            self.deep = save
            self.skip()
            return ('for', name, over, self.expr())
        if t == 'function':
            self.take('(')
            self.deep, save = self.deep + 1, self.deep
            params = []
            while self.peek() != ')':
                name, default = self.take(), None
                if self.peek() == '=':
                    self.take()
                    default = self.expr()
                params.append((name, default))
                if self.peek() == ',':
                    self.take()
            self.take(')')
            self.deep = save
            self.skip()
            return ('function', params, self.expr())
        if t in ('break', 'next'):
            return (t,)
        if re.match(r'[A-Za-z.`]', t) and t not in WORDS:
            return ('name', t.strip('`'))
        raise Unknown(t.strip() or 'the end of the program')
    def nested(self):
        # Inside braces, `else` may begin a line.
        depth = 0
        for t in self.t[:self.i]:
            depth += (t == '{') - (t == '}')
        return depth > 0
    def head(self):
        self.take('(')
        self.deep, save = self.deep + 1, self.deep
        e = self.expr()
        self.take(')')
        self.deep = save
        self.skip()
        return e
def bad(what):
    raise Unknown(what)
class Env:
    def __init__(self, parent=None):
        self.v, self.parent = {}, parent
    def get(self, name):
        e = self
        while e is not None:
            if name in e.v:
                return e.v[name]
            e = e.parent
        return None
GLOBAL = Env()
# Numbers as text
def digits_of(x, digits=7):
    # The significant digits that are needed, and the exponent.
    m, e = ('%.*e' % (digits - 1, abs(x))).split('e')
    return len(m.replace('.', '').rstrip('0')) or 1, int(e)
def numbers(xs, digits=7):
    # All in one format, as `print` does.
    fin = [x for x in xs if x is not None and x == x and abs(x) != math.inf]
    rgt, left, sig, wide = 0, 1, 1, 2
    for x in fin:
        n, e = digits_of(x, digits) if x else (1, 0)
        rgt, left, sig = max(rgt, n - e - 1), max(left, e + 1), max(sig, n)
        wide = max(wide, len(str(abs(e))))
    neg = any([x < 0 for x in fin])
    fixed = neg + left + rgt + (rgt > 0)
    science = neg + sig + (sig > 1) + wide + 2
    def one(x):
        if x is None:
            return 'NA'
        if x != x:
            return 'NaN'
        if abs(x) == math.inf:
            return 'Inf' if x > 0 else '-Inf'
        if fixed <= science:
            return '%.*f' % (rgt, x)
        m, e = ('%.*e' % (sig - 1, x)).split('e')
        return '%se%s%0*d' % (m, e[0], wide, abs(int(e)))
    return [one(x) for x in xs]
def plain(kind, x, digits=7):
    if x is None:
        return 'NA'
    if kind == 'logical':
        return 'TRUE' if x else 'FALSE'
    if kind == 'integer':
        return str(x)
    if kind == 'double':
        return numbers([x], digits)[0]
    return x
def texts(v, digits=15):
    if v.kind == 'list':
        return [texts(x)[0] if isinstance(x, V) and len(x.x) == 1 else bad('a list as text') for x in v.x]
    return [plain(v.kind, x, digits) for x in v.x]
def quoted(s):
    return '"' + s.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\t', '\\t') + '"'
def show(v, prefix=''):
    if isinstance(v, F) or callable(v):
        raise Unknown('a function as text')
    if v.kind == 'NULL':
        return 'NULL\n'
    if v.kind == 'list':
        if not v.x:
            return 'list()\n'
        out = ''
        for i, x in enumerate(v.x):
            at = prefix + ('$' + v.names[i] if v.names and v.names[i] else '[[%d]]' % (i + 1))
            out += at + '\n' + show(x, at) + '\n'
        return out
    if not v.x:
        return {'double': 'numeric'}.get(v.kind, v.kind) + '(0)\n'
    cells = numbers(v.x) if v.kind == 'double' else [quoted(x) if v.kind == 'character' and x is not None else plain(v.kind, x) for x in v.x]
    width = max([len(c) for c in cells])
    if v.names:
        width = max(width, max([len(n) for n in v.names]))
        per, out = max(80 // (width + 1), 1), ''
        for i in range(0, len(cells), per):
            out += ' '.join([n.rjust(width) for n in v.names[i:i + per]]) + ' \n' + ' '.join([c.rjust(width) for c in cells[i:i + per]]) + ' \n'
        return out
    label = len(str(len(cells))) + 2
    per, out = max((80 - label) // (width + 1), 1), ''
    for i in range(0, len(cells), per):
        row = [c.ljust(width) if v.kind == 'character' else c.rjust(width) for c in cells[i:i + per]]
        out += ('[%d]' % (i + 1)).rjust(label) + ' ' + ' '.join(row) + '\n'
    return out
# Values
def to(v, kind):
    if v.kind == kind:
        return v
    if kind == 'list':
        return V('list', [V(v.kind, [x]) for x in v.x], v.names)
    if kind == 'character':
        return V(kind, [None if x is None and v.kind != 'list' else t for x, t in zip(v.x, texts(v))], v.names)
    def one(x):
        if x is None:
            return None
        if isinstance(x, V):
            return one(to(x, kind).x[0])
        if isinstance(x, str):
            if kind == 'logical':
                return {'TRUE': True, 'T': True, 'true': True, 'FALSE': False, 'F': False, 'false': False}.get(x)
            try:
                x = float(int(x, 16)) if x.strip()[:2].lower() == '0x' else float(x)
            except ValueError:
                WARNINGS.append('NAs introduced by coercion ')
                return None
        if kind == 'logical':
            return None if x != x else x != 0
        return float(x) if kind == 'double' else None if x != x else int(x)
    return V(kind, [one(x) for x in v.x], v.names)
WARNINGS = []
def join(all, names=None):
    kind = RANK[max([RANK.index(v.kind) if isinstance(v, V) else 5 for v in all] + [0])]
    if kind == 'NULL':
        return NULL
    x, n = [], []
    for i, v in enumerate(all):
        if not isinstance(v, V):
            v = V('list', [v])
        x += to(v, kind).x if kind != 'list' or v.kind == 'list' else to(v, 'list').x
        name = names[i] if names and names[i] else ''
        n += v.names if v.names and not name else [name if len(v.x) == 1 else name + str(k + 1) if name else '' for k in range(len(v.x))]
    return V(kind, x, n if any(n) else None)
def one(v):
    if not isinstance(v, V) or len(v.x) < 1:
        raise RError('argument is of length zero')
    return v.x[0]
def truth(v):
    if not isinstance(v, V) or len(v.x) == 0:
        raise RError('argument is of length zero')
    if len(v.x) > 1:
        raise RError('the condition has length > 1')
    x = to(v, 'logical').x[0]
    if x is None:
        raise RError('missing value where TRUE/FALSE needed')
    return x
def pairs(a, b):
    if not a.x or not b.x:
        return []
    n = max(len(a.x), len(b.x))
    return [(a.x[i % len(a.x)], b.x[i % len(b.x)]) for i in range(n)]
def arith(op, a, b):
    if not (isinstance(a, V) and isinstance(b, V)) or 'character' in (a.kind, b.kind) or 'list' in (a.kind, b.kind):
        raise RError('non-numeric argument to binary operator')
    whole = a.kind != 'double' and b.kind != 'double' and op in ('+', '-', '*', '%%', '%/%')
    def f(x, y):
        if x is None or y is None:
            return None
        if whole and op in ('%%', '%/%') and y == 0:
            return None
        x, y = (int(x), int(y)) if whole else (float(x), float(y))
        try:
            if op == '+': return x + y
            if op == '-': return x - y
            if op == '*': return x * y
            if op == '/': return x / y if y else math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1, y)
            if op == '^': return 1.0 if x == 1 or y == 0 else float(x ** y) if not (x < 0 and y != int(y)) else math.nan
            if op == '%%': return x % y if y else math.nan
            return float(math.floor(x / y)) if not whole else x // y
        except (OverflowError, ZeroDivisionError):
            return math.inf
    return V('integer' if whole else 'double', [f(x, y) for x, y in pairs(a, b)], a.names or b.names)
def compare(op, a, b):
    kind = RANK[max(RANK.index(a.kind), RANK.index(b.kind))]
    a, b = to(a, kind), to(b, kind)
    f = {'==': lambda x, y: x == y, '!=': lambda x, y: x != y, '<': lambda x, y: x < y, '>': lambda x, y: x > y, '<=': lambda x, y: x <= y, '>=': lambda x, y: x >= y}[op]
    return V('logical', [None if x is None or y is None or x != x or y != y else f(x, y) for x, y in pairs(a, b)], a.names or b.names)
def both(op, a, b):
    a, b = to(a, 'logical'), to(b, 'logical')
    def f(x, y):
        if op == '&':
            return False if x is False or y is False else None if x is None or y is None else True
        return True if x or y else None if x is None or y is None else False
    return V('logical', [f(x, y) for x, y in pairs(a, b)], a.names or b.names)
def picked(v, i):
    if i is None:
        return v
    if i.kind == 'character':
        at = [(v.names or []).index(n) if n in (v.names or []) else None for n in i.x]
    elif i.kind == 'logical':
        n = max(len(v.x), len(i.x))
        at = [k for k in range(n) if i.x and i.x[k % len(i.x)]]
    else:
        idx = [int(k) for k in to(i, 'double').x if k]
        if any([k < 0 for k in idx]):
            at = [k for k in range(len(v.x)) if -(k + 1) not in idx]
        else:
            at = [k - 1 for k in idx]
    get = lambda k: v.x[k] if k is not None and k < len(v.x) else NULL if v.kind == 'list' else None
    return V(v.kind, [get(k) for k in at], [v.names[k] if k is not None and k < len(v.x) else '<NA>' for k in at] if v.names else None)
def element(v, i):
    if isinstance(i, V) and i.kind == 'character':
        if v.kind == 'NULL' or one(i) not in (v.names or []):
            if v.kind in ('list', 'NULL'):
                return NULL
            raise RError('subscript out of bounds')
        k = v.names.index(one(i))
    else:
        k = int(one(i)) - 1
    if not 0 <= k < len(v.x):
        raise RError('subscript out of bounds')
    return v.x[k] if v.kind == 'list' else V(v.kind, [v.x[k]])
def replaced(old, i, value, whole):
    if old.kind == 'NULL':
        old = V('list' if whole and (not isinstance(value, V) or len(value.x) != 1) else value.kind if isinstance(value, V) else 'list', [])
    if not isinstance(value, V) or whole and (len(value.x) != 1 or value.kind == 'list'):
        old = to(old, 'list')
        new = [value]
    else:
        kind = RANK[max(RANK.index(old.kind), RANK.index(value.kind))]
        old, new = to(old, kind), to(value, kind).x
    x, names = list(old.x), list(old.names) if old.names else None
    if i.kind == 'character':
        at = []
        for n in i.x:
            names = names if names is not None else [''] * len(x)
            if n not in names:
                names.append(n)
                x.append(None)
            at.append(names.index(n))
    elif i.kind == 'logical':
        at = [k for k in range(max(len(x), len(i.x))) if i.x[k % len(i.x)]]
    else:
        at = [int(k) - 1 for k in i.x]
        if any([k < 0 or k > 1000000 for k in at]):
            raise Unknown('such an index')
    for k, pos in enumerate(at):
        while pos >= len(x):
            x.append(NULL if old.kind == 'list' else None)
            names is not None and names.append('')
        x[pos] = new[k % len(new)]
    return V(old.kind, x, names)
VISIBLE = [True]
DEPTH = [0]
def run(e, env):
    VISIBLE[0] = True
    what = e[0]
    if what == 'const':
        return e[1]
    if what == 'name':
        v = env.get(e[1])
        if v is None:
            v = CONSTANTS.get(e[1]) or CALLS.get(e[1])
            if v is None:
                raise RError("object '%s' not found" % e[1])
        return v
    if what == 'paren':
        v = run(e[1], env)
        VISIBLE[0] = True
        return v
    if what == 'block':
        v = NULL
        for s in e[1]:
            v = run(s, env)
        return v
    if what == 'set':
        value = run(e[2], env)
        target = e[1]
        while target[0] in ('at', 'at2') or target[0] == 'call' and target[1] == ('name', 'names') and len(target[2]) == 1:
            inner = target[2][0][1] if target[0] == 'call' else target[1]
            old = run(inner, env) if inner[0] != 'name' or env.get(inner[1]) is not None else NULL
            if target[0] == 'call':
                value = V(old.kind, old.x, to(value, 'character').x)
            else:
                value = replaced(old, run(target[2], env), value, target[0] == 'at2')
            target = inner
        if target[0] == 'const' and target[1].kind == 'character':
            target = ('name', one(target[1]))
        if target[0] != 'name':
            raise Unknown('such an assignment')
        at = env
        if e[3]:
            at = env.parent or GLOBAL
            while at.parent is not None and target[1] not in at.v:
                at = at.parent
        at.v[target[1]] = value
        VISIBLE[0] = False
        return value
    if what == 'if':
        if truth(run(e[1], env)):
            return run(e[2], env)
        if e[3]:
            return run(e[3], env)
        VISIBLE[0] = False
        return NULL
    if what in ('for', 'while'):
        over = run(e[2], env) if what == 'for' else None
        i = 0
        while truth(run(e[1], env)) if over is None else i < len(over.x):
            if over is not None:
                env.v[e[1]] = over.x[i] if over.kind == 'list' else V(over.kind, [over.x[i]])
                i += 1
            try:
                run(e[3] if over is not None else e[2], env)
            except Leave as l:
                if l.args[0] == 'break':
                    break
                if l.args[0] != 'next':
                    raise
        VISIBLE[0] = False
        return NULL
    if what in ('break', 'next'):
        raise Leave(what)
    if what == 'function':
        return F(e[1], e[2], env)
    if what == 'at':
        return picked(run(e[1], env), run(e[2], env))
    if what == 'at2':
        return element(run(e[1], env), run(e[2], env))
    if e[1][0] == 'name':
        name = e[1][1].split('::')[-1]
        if name in ('&&', '||'):
            a = truth(run(e[2][0][1], env))
            return lgl(a and truth(run(e[2][1][1], env))) if name == '&&' else lgl(a or truth(run(e[2][1][1], env)))
        if name == 'return':
            raise Leave('return', run(e[2][0][1], env) if e[2] else NULL)
        if name in ('library', 'require', 'suppressPackageStartupMessages', 'requireNamespace'):
            which = e[2][0][1]
            which = which[1] if which[0] == 'name' else one(which[1]) if which[0] == 'const' else bad(name)
            if which not in ('parallel', 'stats', 'utils', 'methods', 'base'):
                raise Unknown('library(%s)' % which)
            VISIBLE[0] = False
            return NULL
        if name in ('suppressWarnings', 'suppressMessages'):
            return run(e[2][0][1], env)
        f = env.get(name)
        if not (isinstance(f, F) or callable(f)):
            f = CALLS.get(name)
        if f is None:
            if re.search(r'^[\w.]+$', name) and name in DEFINED:
                raise RError('could not find function "%s"' % name)
            raise Unknown(name)
    else:
        f = run(e[1], env)
    args = []
    for name, a in e[2]:
        if a == ('name', '...'):
            args += env.get('...') or []
        else:
            args.append((name, run(a, env)))
    VISIBLE[0] = True
    return apply(f, args)
DEFINED = set()
def apply(f, args):
    if isinstance(f, F):
        DEPTH[0] += 1
        if DEPTH[0] > 40:
            raise Unknown('more than 40 nested calls')
        e = Env(f.env)
        names = [p for p, _ in f.params]
        rest = []
        for name, v in args:
            if name in names:
                e.v[name] = v
            else:
                rest.append((name, v))
        for p, _ in f.params:
            if p == '...':
                e.v[p], rest = rest, []
            elif p not in e.v and rest:
                e.v[p] = rest.pop(0)[1]
        if rest:
            raise RError('unused argument')
        for p, d in f.params:
            if p not in e.v and d is not None:
                e.v[p] = run(d, e)
        try:
            return run(f.body, e)
        except Leave as l:
            if l.args[0] != 'return':
                raise
            VISIBLE[0] = True
            return l.args[1]
        finally:
            DEPTH[0] -= 1
    values = [v for n, v in args if n is None]
    named = {n: v for n, v in args if n is not None}
    return f(values, named, args)
CONSTANTS = {'TRUE': lgl(True), 'FALSE': lgl(False), 'T': lgl(True), 'F': lgl(False), 'NULL': NULL, 'NA': lgl(None), 'NaN': dbl(math.nan), 'Inf': dbl(math.inf), 'pi': dbl(math.pi),
             'NA_character_': V('character', [None]), 'NA_integer_': V('integer', [None]), 'letters': V('character', list('abcdefghijklmnopqrstuvwxyz')), 'LETTERS': V('character', list('ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
             'R.version.string': txt('R version 4.2.2 (2022-10-31)'), 'stdin': txt('stdin')}
CALLS = {}
def call(*names):
    def keep(f):
        for n in names:
            CALLS[n] = f
        return f
    return keep
def arg(v, n, i, name, default=None):
    return n[name] if name in n else v[i] if i < len(v) else default
def hidden(v):
    VISIBLE[0] = False
    return v
for op in ('+', '-', '*', '/', '^', '%%', '%/%'):
    CALLS[op] = (lambda op: lambda v, n, a: arith(op, v[0], v[1]) if len(v) > 1 else arith('*', V('integer', [-1 if op == '-' else 1]), v[0]))(op)
for op in ('==', '!=', '<', '>', '<=', '>='):
    CALLS[op] = (lambda op: lambda v, n, a: compare(op, v[0], v[1]))(op)
for op in ('&', '|'):
    CALLS[op] = (lambda op: lambda v, n, a: both(op, v[0], v[1]))(op)
CALLS['!'] = lambda v, n, a: V('logical', [None if x is None else not x for x in to(v[0], 'logical').x], v[0].names)
CALLS['%in%'] = lambda v, n, a: (lambda k: V('logical', [x in to(v[1], k).x for x in to(v[0], k).x]))(RANK[max(RANK.index(v[0].kind), RANK.index(v[1].kind))])
CALLS['c'] = lambda v, n, a: join([x for _, x in a], [m for m, _ in a])
CALLS['list'] = lambda v, n, a: V('list', [x for _, x in a], [m or '' for m, _ in a] if any([m for m, _ in a]) else None)
@call(':')
def f(v, n, a):
    x, y = one(to(v[0], 'double')), one(to(v[1], 'double'))
    if abs(y - x) > 2000000:
        raise Unknown('a vector of %d elements' % abs(y - x))
    return sequence(x, y, 1 if y >= x else -1)
def sequence(x, y, by):
    out, k = [], 0
    while (x + k * by <= y + 1e-10) if by > 0 else (x + k * by >= y - 1e-10):
        out.append(x + k * by)
        k += 1
    return V('integer', [int(i) for i in out]) if x == int(x) and by == int(by) else V('double', out)
@call('seq', 'seq.int')
def f(v, n, a):
    if len(v) == 1 and not n:
        return sequence(1, len(v[0].x) if len(v[0].x) > 1 else one(v[0]), 1)
    x = one(to(arg(v, n, 0, 'from', dbl(1.0)), 'double'))
    length = n.get('length.out') or n.get('length')
    y = arg(v, n, 1, 'to')
    by = arg(v, n, 2, 'by')
    if length is not None:
        k = int(one(length))
        if y is None:
            return V('double', [x + i * one(to(by, 'double')) for i in range(k)])
        y = one(to(y, 'double'))
        return V('double', [x + i * (y - x) / max(k - 1, 1) for i in range(k)])
    y = one(to(y, 'double'))
    step = one(to(by, 'double')) if by is not None else (1 if y >= x else -1)
    made = sequence(x, y, step)
    return made if by is None or by.kind == 'integer' else to(made, 'double')
CALLS['seq_len'] = lambda v, n, a: V('integer', list(range(1, int(one(v[0])) + 1)))
CALLS['seq_along'] = lambda v, n, a: V('integer', list(range(1, len(v[0].x) + 1)))
@call('rep')
def f(v, n, a):
    x, times, each = v[0], arg(v, n, 1, 'times'), n.get('each')
    out = [y for y in x.x for _ in range(int(one(each)))] if each else list(x.x)
    if times is not None:
        out = [y for y, k in zip(out, times.x) for _ in range(int(k))] if len(times.x) > 1 else out * int(one(times))
    return V(x.kind, out)
def over(f, whole=False):
    return lambda v, n, a: V('double', [None if x is None else checked(f, x) for x in numeric(v[0]).x], v[0].names)
def numeric(v):
    if not isinstance(v, V) or v.kind in ('character', 'list'):
        raise RError('non-numeric argument to mathematical function')
    return to(v, 'double')
def checked(f, x):
    try:
        return float(f(x))
    except (ValueError, ZeroDivisionError):
        WARNINGS.append('NaNs produced ')
        return math.nan
    except OverflowError:
        return math.inf
for name, g in {'sqrt': math.sqrt, 'exp': math.exp, 'log2': math.log2, 'log10': math.log10, 'sin': math.sin, 'cos': math.cos, 'tan': math.tan, 'floor': math.floor, 'ceiling': math.ceil, 'trunc': math.trunc, 'factorial': lambda x: math.gamma(x + 1)}.items():
    CALLS[name] = over(g)
CALLS['log'] = lambda v, n, a: over(lambda x: -math.inf if x == 0 else math.log(x) / (math.log(one(to(arg(v, n, 1, 'base'), 'double'))) if len(v) > 1 or 'base' in n else 1))(v, n, a)
CALLS['abs'] = lambda v, n, a: V(numeric(v[0]) and (v[0].kind if v[0].kind != 'logical' else 'integer'), [None if x is None else abs(x) for x in v[0].x])
CALLS['round'] = lambda v, n, a: (lambda d: V('double', [None if x is None else round(x, d) for x in numeric(v[0]).x], v[0].names))(int(one(arg(v, n, 1, 'digits', dbl(0)))))
CALLS['signif'] = lambda v, n, a: V('double', [float('%.*g' % (int(one(arg(v, n, 1, 'digits', dbl(6)))), x)) for x in numeric(v[0]).x])
def spread(v, n):
    all = to(join(v), 'double') if any([isinstance(x, V) and x.kind == 'double' for x in v]) else to(join(v), 'integer')
    x = all.x
    if 'na.rm' in n and truth(n['na.rm']):
        x = [y for y in x if y is not None]
    return all.kind, x
def summary(f, keep=True):
    def g(v, n, a):
        if any([isinstance(x, V) and x.kind in ('character', 'list') for x in v]):
            raise RError("invalid 'type' (character) of argument")
        kind, x = spread(v, n)
        if None in x:
            return V(kind if keep else 'double', [None])
        r = f(x)
        return V(kind, [r]) if keep else dbl(float(r))
    return g
CALLS['sum'], CALLS['max'], CALLS['min'] = summary(lambda x: sum(x)), summary(lambda x: max(x) if x else bad('max of nothing')), summary(lambda x: min(x) if x else bad('min of nothing'))
CALLS['prod'] = summary(lambda x: math.prod(x), False)
CALLS['mean'] = summary(lambda x: sum(x) / len(x) if x else math.nan, False)
CALLS['var'] = summary(lambda x: sum([(y - sum(x) / len(x)) ** 2 for y in x]) / (len(x) - 1), False)
CALLS['sd'] = summary(lambda x: math.sqrt(sum([(y - sum(x) / len(x)) ** 2 for y in x]) / (len(x) - 1)), False)
CALLS['median'] = summary(lambda x: (lambda s, k: s[k // 2] if k % 2 else (s[k // 2 - 1] + s[k // 2]) / 2)(sorted(x), len(x)), False)
CALLS['range'] = lambda v, n, a: (lambda k, x: V(k, [min(x), max(x)]))(*spread(v, n))
CALLS['length'] = lambda v, n, a: V('integer', [len(v[0].x) if isinstance(v[0], V) else 1])
CALLS['nchar'] = lambda v, n, a: V('integer', [2 if s is None else len(s) for s in to(v[0], 'character').x])
CALLS['cumsum'] = lambda v, n, a: V('double' if v[0].kind == 'double' else 'integer', [sum(v[0].x[:i + 1]) for i in range(len(v[0].x))])
CALLS['diff'] = lambda v, n, a: V(v[0].kind, [y - x for x, y in zip(v[0].x, v[0].x[1:])])
CALLS['rev'] = lambda v, n, a: V(v[0].kind, v[0].x[::-1], v[0].names[::-1] if v[0].names else None)
CALLS['sort'] = lambda v, n, a: V(v[0].kind, sorted([x for x in v[0].x if x is not None], reverse='decreasing' in n and truth(n['decreasing']))) if v[0].kind != 'character' else V('character', sorted(v[0].x, key=lambda s: (s.lower(), s.swapcase()), reverse='decreasing' in n and truth(n['decreasing'])))
CALLS['order'] = lambda v, n, a: V('integer', [i + 1 for i in sorted(range(len(v[0].x)), key=lambda i: v[0].x[i], reverse='decreasing' in n and truth(n['decreasing']))]) if v[0].kind != 'character' else bad('order of texts')
CALLS['unique'] = lambda v, n, a: V(v[0].kind, list({x: 1 for x in v[0].x})) if v[0].kind != 'list' else bad('unique of a list')
CALLS['which'] = lambda v, n, a: V('integer', [i + 1 for i, x in enumerate(v[0].x) if x])
CALLS['which.max'] = lambda v, n, a: V('integer', [v[0].x.index(max(v[0].x)) + 1])
CALLS['which.min'] = lambda v, n, a: V('integer', [v[0].x.index(min(v[0].x)) + 1])
CALLS['any'] = lambda v, n, a: lgl(any(to(join(v), 'logical').x))
CALLS['all'] = lambda v, n, a: lgl(all(to(join(v), 'logical').x))
CALLS['is.na'] = lambda v, n, a: V('logical', [x is None or x != x for x in v[0].x])
CALLS['is.null'] = lambda v, n, a: lgl(isinstance(v[0], V) and v[0].kind == 'NULL')
CALLS['is.numeric'] = lambda v, n, a: lgl(isinstance(v[0], V) and v[0].kind in ('integer', 'double'))
CALLS['is.character'] = lambda v, n, a: lgl(isinstance(v[0], V) and v[0].kind == 'character')
CALLS['as.numeric'] = CALLS['as.double'] = lambda v, n, a: V('double', to(v[0], 'double').x)
CALLS['as.integer'] = lambda v, n, a: V('integer', to(to(v[0], 'double'), 'integer').x)
CALLS['as.character'] = lambda v, n, a: V('character', to(v[0], 'character').x)
CALLS['as.logical'] = lambda v, n, a: V('logical', to(v[0], 'logical').x)
CALLS['unlist'] = lambda v, n, a: join(v[0].x, v[0].names) if v[0].kind == 'list' else v[0]
CALLS['numeric'] = lambda v, n, a: V('double', [0.0] * int(one(v[0]) if v else 0))
CALLS['integer'] = lambda v, n, a: V('integer', [0] * int(one(v[0]) if v else 0))
CALLS['character'] = lambda v, n, a: V('character', [''] * int(one(v[0]) if v else 0))
CALLS['logical'] = lambda v, n, a: V('logical', [False] * int(one(v[0]) if v else 0))
CALLS['names'] = lambda v, n, a: V('character', list(v[0].names)) if v[0].names else NULL
CALLS['append'] = lambda v, n, a: join(v[:2])
CALLS['head'] = lambda v, n, a: (lambda k: picked(v[0], V('integer', list(range(1, min(k, len(v[0].x)) + 1) if k >= 0 else range(1, len(v[0].x) + k + 1)))))(int(one(arg(v, n, 1, 'n', dbl(6)))))
CALLS['tail'] = lambda v, n, a: (lambda k: picked(v[0], V('integer', list(range(max(len(v[0].x) - k, 0) + 1, len(v[0].x) + 1)))))(int(one(arg(v, n, 1, 'n', dbl(6)))))
CALLS['ifelse'] = lambda v, n, a: (lambda y, z: V(RANK[max(RANK.index(y.kind), RANK.index(z.kind))], [None if t is None else to(y if t else z, RANK[max(RANK.index(y.kind), RANK.index(z.kind))]).x[i % len((y if t else z).x)] for i, t in enumerate(to(v[0], 'logical').x)]))(v[1], v[2])
CALLS['invisible'] = lambda v, n, a: hidden(v[0] if v else NULL)
CALLS['identity'] = lambda v, n, a: v[0]
CALLS['toupper'] = lambda v, n, a: V('character', [s.upper() for s in to(v[0], 'character').x])
CALLS['tolower'] = lambda v, n, a: V('character', [s.lower() for s in to(v[0], 'character').x])
CALLS['trimws'] = lambda v, n, a: V('character', [s.strip() for s in to(v[0], 'character').x])
CALLS['substr'] = CALLS['substring'] = lambda v, n, a: V('character', [s[int(one(v[1])) - 1:int(one(v[2])) if len(v) > 2 else None] for s in to(v[0], 'character').x])
CALLS['basename'] = lambda v, n, a: V('character', [os.path.basename(s) for s in v[0].x])
CALLS['getwd'] = lambda v, n, a: txt(os.getcwd())
CALLS['file.exists'] = lambda v, n, a: V('logical', [os.path.exists(s) for s in join(v).x])
CALLS['file'] = lambda v, n, a: v[0]
CALLS['stdin'] = lambda v, n, a: txt('stdin')
CALLS['stderr'] = lambda v, n, a: txt('stderr!')
CALLS['stdout'] = lambda v, n, a: txt('')
CALLS['close'] = lambda v, n, a: hidden(NULL)
CALLS['detectCores'] = lambda v, n, a: V('integer', [os.cpu_count()])
CALLS['class'] = lambda v, n, a: txt('function' if not isinstance(v[0], V) else {'double': 'numeric'}.get(v[0].kind, v[0].kind))
def regex(p, n):
    if 'fixed' in n and truth(n['fixed']):
        return re.compile(re.escape(p))
    p = re.sub(r'\[:(\w+):\]', lambda m: {'space': r'\s', 'digit': '0-9', 'alpha': 'a-zA-Z', 'alnum': 'a-zA-Z0-9', 'upper': 'A-Z', 'lower': 'a-z'}.get(m.group(1)) or bad(m.group(0)), p)
    try:
        return re.compile(p, re.I if 'ignore.case' in n and truth(n['ignore.case']) else 0)
    except Exception:
        raise Unknown('the pattern ' + p)
CALLS['strsplit'] = lambda v, n, a: V('list', [V('character', list(s) if one(v[1]) == '' else (lambda p: p[:-1] if p and p[-1] == '' else p)(regex(one(v[1]), n).split(s))) for s in v[0].x])
CALLS['gsub'] = lambda v, n, a: V('character', [regex(one(v[0]), n).sub(one(v[1]), s) for s in to(v[2], 'character').x])
CALLS['sub'] = lambda v, n, a: V('character', [regex(one(v[0]), n).sub(one(v[1]), s, count=1) for s in to(v[2], 'character').x])
CALLS['grepl'] = lambda v, n, a: V('logical', [bool(regex(one(v[0]), n).search(s)) for s in to(v[1], 'character').x])
def pasted(default):
    def g(v, n, a):
        sep = one(n['sep']) if 'sep' in n else default
        cols = [c for c in [texts(x) for x in v] if c]
        rows = [sep.join([c[i % len(c)] for c in cols]) for i in range(max([len(c) for c in cols] + [0]))]
        return txt(one(n['collapse']).join(rows)) if 'collapse' in n and n['collapse'].x else V('character', rows)
    return g
CALLS['paste'], CALLS['paste0'] = pasted(' '), pasted('')
FORMAT = re.compile(r'%(%|([-+ 0#]*)(\*|\d+)?(\.(\d+))?([difeEgGsxXo]))')
@call('sprintf', 'gettextf')
def f(v, n, a):
    size = max([len(x.x) for x in v])
    out = []
    for i in range(size):
        at = [0]
        def piece(m):
            if m.group(1) == '%':
                return '%'
            at[0] += 1
            x = v[at[0]]
            y, letter = x.x[i % len(x.x)], m.group(6)
            spec = '%' + m.group(2) + (m.group(3) or '') + (m.group(4) or '')
            if letter == 's':
                return (spec + 's') % plain(x.kind, y, 15)
            if letter in 'dixXo':
                if x.kind == 'double' and y != int(y) or x.kind == 'character':
                    raise RError("invalid format '%s'; use format %%f, %%e, %%g or %%a for numeric objects" % m.group(0))
                return (spec + letter) % int(y)
            return (spec + letter) % float(y)
        out.append(FORMAT.sub(piece, v[0].x[i % len(v[0].x)]))
    return V('character', out)
@call('format')
def f(v, n, a):
    if 'nsmall' in n and len(n) == 1 and v[0].kind == 'double':
        k = int(one(n['nsmall']))
        return V('character', [c if '.' in c and len(c.split('.')[1]) >= k else '%.*f' % (k, x) for c, x in zip(numbers(v[0].x), v[0].x)])
    if n or len(v) != 1 or len(v[0].x) != 1:
        raise Unknown('format with options')
    return V('character', [plain(v[0].kind, v[0].x[0])])
@call('cat')
def f(v, n, a):
    sep = one(n['sep']) if 'sep' in n else ' '
    parts = [t for x in v for t in texts(x, 7)]
    out = ''
    for i, p in enumerate(parts):
        out += p + (sep if i + 1 < len(parts) else '')
    if 'file' in n and one(n['file']) == 'stderr!':
        sys.stdout.flush()
        sys.stderr.write(out)
    elif 'file' in n and one(n['file']):
        open(one(n['file']), 'a' if 'append' in n and truth(n['append']) else 'w').write(out)
    else:
        sys.stdout.write(out)
    return hidden(NULL)
@call('print')
def f(v, n, a):
    if n or len(v) > 1:
        raise Unknown('print with options')
    sys.stdout.write(show(v[0]))
    return hidden(v[0])
@call('message')
def f(v, n, a):
    sys.stdout.flush()
    sys.stderr.write(''.join([t for x in v for t in texts(x)]) + '\n')
    return hidden(NULL)
@call('writeLines')
def f(v, n, a):
    to_ = arg(v, n, 1, 'con')
    out = ''.join([s + '\n' for s in v[0].x])
    if to_ is None or one(to_) == '':
        sys.stdout.write(out)
    else:
        sys.stderr.write(out) if one(to_) == 'stderr!' else open(one(to_), 'w').write(out)
    return hidden(NULL)
@call('readLines', 'readline')
def f(v, n, a):
    name = one(arg(v, n, 0, 'con', txt('stdin')))
    most = arg(v, n, 1, 'n')
    try:
        source = sys.stdin if name == 'stdin' else open(name)
    except OSError:
        raise Unknown('readLines of a missing file')
    if most is not None and one(most) >= 0:
        return V('character', [l.rstrip('\n') for l in [source.readline() for _ in range(int(one(most)))] if l])
    return V('character', source.read().splitlines())
@call('stop')
def f(v, n, a):
    raise RError(''.join([t for x in v for t in texts(x)]))
@call('quit', 'q')
def f(v, n, a):
    raise SystemExit(int(one(n['status'])) if 'status' in n else int(one(v[1])) if len(v) > 1 else 0)
@call('Sys.getenv')
def f(v, n, a):
    if not v:
        raise Unknown('Sys.getenv()')
    other = one(arg(v, n, 1, 'unset', txt('')))
    return V('character', [os.environ.get(s, other) for s in v[0].x])
@call('Sys.sleep')
def f(v, n, a):
    sys.stdout.flush()
    time.sleep(one(v[0]))
    return hidden(NULL)
@call('Sys.info')
def f(v, n, a):
    return V('character', ['Linux', os.uname().nodename, os.environ.get('USER', '')], ['sysname', 'nodename', 'user'])
@call('commandArgs')
def f(v, n, a):
    if not (v and truth(v[0]) or 'trailingOnly' in n and truth(n['trailingOnly'])):
        raise Unknown('commandArgs()')
    return V('character', list(ARGS))
def mapped(kind):
    def g(v, n, a):
        items = v[0].x if v[0].kind == 'list' else [V(v[0].kind, [x]) for x in v[0].x]
        rest = [(m, x) for m, x in a if m not in (None, 'X', 'FUN', 'FUN.VALUE', 'USE.NAMES')]
        out = [apply(v[1], [(None, x)] + rest) for x in items]
        VISIBLE[0] = True
        names = v[0].names or (list(v[0].x) if v[0].kind == 'character' and kind != 'lapply' else None)
        if kind == 'lapply' or not all([isinstance(x, V) and len(x.x) == 1 and x.kind != 'list' for x in out]) or not out:
            if kind != 'lapply' and out and len(set([len(x.x) if isinstance(x, V) else 0 for x in out])) == 1:
                raise Unknown('a matrix')
            return V('list', out, names)
        made = join(out)
        return V(made.kind, made.x, names)
    return g
CALLS['sapply'], CALLS['lapply'], CALLS['vapply'] = mapped('sapply'), mapped('lapply'), mapped('vapply')
CALLS['Filter'] = lambda v, n, a: picked(v[1], V('logical', [truth(apply(v[0], [(None, x if v[1].kind == 'list' else V(v[1].kind, [x]))])) for x in v[1].x]))
@call('Reduce')
def f(v, n, a):
    if n or len(v) != 2 or not v[1].x:
        raise Unknown('Reduce')
    items = v[1].x if v[1].kind == 'list' else [V(v[1].kind, [x]) for x in v[1].x]
    out = items[0]
    for x in items[1:]:
        out = apply(v[0], [(None, out), (None, x)])
    return out
CALLS['do.call'] = lambda v, n, a: apply(v[0] if not isinstance(v[0], V) else CALLS.get(one(v[0])) or bad('do.call'), [((v[1].names or [''] * len(v[1].x))[i] or None, x) for i, x in enumerate(v[1].x)])
ARGS = []
def complain(what, code):
    sys.stdout.flush()
    sys.stderr.write(what)
    return code
def main(me, words):
    words, texts_, files = list(words), [], None
    quiet = me == 'Rscript'
    while words and words[0].startswith('-'):
        w = words.pop(0)
        if w == '-e':
            if not words:
                raise Unknown('-e without a program')
            texts_.append(words.pop(0))
        elif w in ('--slave', '--no-echo', '-s'):
            quiet = True
        elif w in ('--vanilla', '--no-save', '--no-restore', '--no-environ', '--no-init-file', '--no-site-file'):
            pass
        elif w == '-f' and words:
            files = words.pop(0)
        elif w.startswith('--file='):
            files = w[7:]
        elif w == '--args':
            break
        else:
            raise Unknown(w)
    if not quiet:
        raise Unknown('R with its echo (Rscript is computed)')
    if texts_:
        source = '\n'.join(texts_)
    elif files or me == 'Rscript' and words:
        files = files or words.pop(0)
        source = open(files).read()
    else:
        source = sys.stdin.read()
    if words and words[0] == '--args':
        words.pop(0)
    ARGS.extend(words)
    NAMED[0] = files
    for m in re.finditer(r'([\w.]+)\s*(<-|=)\s*function', source):
        DEFINED.add(m.group(1))
    program = Parser(source).program()
    known(program)
    RAN[0] = True
    for e in program:
        try:
            v = run(e, GLOBAL)
            if VISIBLE[0]:
                sys.stdout.write(show(v))
        except RError as x:
            return complain('Error: %s\nExecution halted\n' % x.args[0], 1)
        if WARNINGS:
            raise Unknown('a warning: ' + WARNINGS[0])
    return 0
NAMED, RAN = [None], [False]
def known(e):
    # Functions that are not known are found before anything is printed.
    if isinstance(e, tuple) and e and e[0] == 'call' and e[1][0] == 'name':
        name = e[1][1].split('::')[-1]
        if name not in CALLS and name not in DEFINED and name not in ('&&', '||', 'return', 'library', 'require', 'suppressPackageStartupMessages', 'requireNamespace', 'suppressWarnings', 'suppressMessages') and not PARAMETERS(name):
            raise Unknown(name)
    if isinstance(e, (tuple, list)):
        for x in e:
            known(x)
def PARAMETERS(name):
    return name in ('f', 'fn', 'FUN', 'g')
def start(me):
    words, code = sys.argv[1:], 0
    try:
        code = main(me, words)
    except Unknown as u:
        sys.stdout.flush()
        if NAMED[0] and not RAN[0]:
            # The file runs as a model, which says so.
            code = subprocess.call([me] + words, env=dict(os.environ, SANDBATCH_MODEL='1'))
        else:
            code = complain('%s: not simulated in sandbatch: %s (man %s)\n' % (me, u.args[0], me), 127)
    except SystemExit as s:
        code = s.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 141
    except Leave:
        code = 0
    except Exception as x:
        code = complain('%s: not simulated in sandbatch: such a program (%s)\n' % (me, x), 127)
    sys.stdout.flush()
    sys.exit(code)
