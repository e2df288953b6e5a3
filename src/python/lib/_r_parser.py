# Parses a program of R.
import re
from _r_values import Unknown, V, bad, dbl, lgl, txt
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
