class error(Exception):
    pass
error.__module__ = 're'
NOFLAG, U, UNICODE = 0, 32, 32
I = IGNORECASE = 2
M = MULTILINE = 8
S = DOTALL = 16
X = VERBOSE = 64
A = ASCII = 256
class Match:
    def __init__(self, pattern, text, spans):
        self.re, self.string, self._s = pattern, text, spans
    def _n(self, g):
        if isinstance(g, str):
            if g not in self.re.groupindex:
                raise IndexError('no such group')
            return self.re.groupindex[g]
        if g >= len(self._s):
            raise IndexError('no such group')
        return g
    def group(self, *gs):
        if not gs:
            gs = (0,)
        out = [None if self._s[self._n(g)][0] < 0 else self.string[self._s[self._n(g)][0]:self._s[self._n(g)][1]] for g in gs]
        return out[0] if len(out) == 1 else tuple(out)
    __getitem__ = lambda self, g: self.group(g)
    def groups(self, default=None):
        return tuple([default if self._s[i][0] < 0 else self.group(i) for i in range(1, len(self._s))])
    def groupdict(self, default=None):
        return {n: self.group(n) for n in self.re.groupindex}
    def start(self, g=0):
        return self._s[self._n(g)][0]
    def end(self, g=0):
        return self._s[self._n(g)][1]
    def span(self, g=0):
        return self._s[self._n(g)]
    def __repr__(self):
        return '<re.Match object; span=%r, match=%r>' % (self.span(), self.group())
def _check(p):
    depth, i, last = [], 0, False
    while i < len(p):
        c = p[i]
        if c == '\\':
            if i + 1 == len(p):
                raise error('bad escape (end of pattern) at position %d' % i)
            i += 2
            last = True
            continue
        if c == '[':
            j = i + 1
            if p[j:j + 1] == '^':
                j += 1
            if p[j:j + 1] == ']':
                j += 1
            while j < len(p) and p[j] != ']':
                j += 2 if p[j] == '\\' else 1
            if j >= len(p):
                raise error('unterminated character set at position %d' % i)
            i = j + 1
            last = True
            continue
        if c == '(':
            depth.append(i)
            last = False
            i += 2 if p[i + 1:i + 2] == '?' else 1
            continue
        if c == ')':
            if not depth:
                raise error('unbalanced parenthesis at position %d' % i)
            depth.pop()
            last = True
        elif c in '*+?':
            if not last:
                raise error('nothing to repeat at position %d' % i)
            while p[i + 1:i + 2] == '?' and c != '?':
                i += 1
                break
        else:
            last = c not in '|^'
        i += 1
    if depth:
        raise error('missing ), unterminated subpattern at position %d' % depth[-1])
class Pattern:
    def __init__(self, pattern, flags):
        if not flags & 64:
            _check(pattern)
        self.pattern, self.flags = pattern, flags
        letters = ''.join([c for c, f in (('i', 2), ('m', 8), ('s', 16), ('x', 64)) if flags & f])
        self._p = '(?' + letters + ')' + pattern if letters else pattern
        names = _names(self._p)
        self.groups = len(names) - 1
        self.groupindex = {n: i for i, n in enumerate(names) if n}
    def search(self, text, pos=0):
        s = _search(self._p, text, pos)
        return None if s is None else Match(self, text, s)
    def match(self, text, pos=0):
        s = _search('^(?:' + self._p + ')' if not self._p.startswith('(?') or self._p[2] in ':P' else self._p, text, pos)
        if s is None or s[0][0] != pos:
            return None
        return Match(self, text, s)
    def fullmatch(self, text):
        s = _search('^(?:' + self._p + ')$', text, 0)
        return None if s is None else Match(self, text, s)
    def finditer(self, text):
        pos = 0
        while pos <= len(text):
            m = self.search(text, pos)
            if m is None:
                return
            yield m
            pos = m.end() + (1 if m.end() == m.start() else 0)
    def findall(self, text):
        out = []
        for m in self.finditer(text):
            if self.groups == 0:
                out.append(m.group())
            elif self.groups == 1:
                out.append(m.group(1) or '')
            else:
                out.append(tuple([g or '' for g in m.groups()]))
        return out
    def sub(self, repl, text, count=0):
        return self.subn(repl, text, count)[0]
    def subn(self, repl, text, count=0):
        out, last, n = [], 0, 0
        for m in self.finditer(text):
            if count and n >= count:
                break
            out.append(text[last:m.start()])
            out.append(repl(m) if callable(repl) else _expand(repl, m))
            last = m.end()
            n += 1
        out.append(text[last:])
        return ''.join(out), n
    def split(self, text, maxsplit=0):
        out, last, n = [], 0, 0
        for m in self.finditer(text):
            if maxsplit and n >= maxsplit:
                break
            out.append(text[last:m.start()])
            out.extend(m.groups())
            last = m.end()
            n += 1
        out.append(text[last:])
        return out
def _expand(t, m):
    out, i = [], 0
    while i < len(t):
        c = t[i]
        if c == '\\' and i + 1 < len(t):
            d = t[i + 1]
            if d.isdigit():
                out.append(m.group(int(d)) or '')
                i += 2
                continue
            if t[i + 1:i + 3] == 'g<':
                j = t.index('>', i)
                name = t[i + 3:j]
                out.append(m.group(int(name) if name.isdigit() else name) or '')
                i = j + 1
                continue
            out.append({'n': '\n', 't': '\t', '\\': '\\'}.get(d, '\\' + d))
            i += 2
            continue
        out.append(c)
        i += 1
    return ''.join(out)
_cache = {}
def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        return pattern
    if (pattern, flags) not in _cache:
        _cache[pattern, flags] = Pattern(pattern, flags)
    return _cache[pattern, flags]
def search(p, t, flags=0): return compile(p, flags).search(t)
def match(p, t, flags=0): return compile(p, flags).match(t)
def fullmatch(p, t, flags=0): return compile(p, flags).fullmatch(t)
def findall(p, t, flags=0): return compile(p, flags).findall(t)
def finditer(p, t, flags=0): return compile(p, flags).finditer(t)
def sub(p, r, t, count=0, flags=0): return compile(p, flags).sub(r, t, count)
def subn(p, r, t, count=0, flags=0): return compile(p, flags).subn(r, t, count)
def split(p, t, maxsplit=0, flags=0): return compile(p, flags).split(t, maxsplit)
def escape(s):
    return ''.join([c if c.isalnum() or c == '_' else '\\' + c for c in s])
