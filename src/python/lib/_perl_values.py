# Values of Perl: numbers and texts, references, variables, and expressions as closures.
import math, re, sys
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
    raise Die(message if message.endswith('\n') else '%s at %s line %d.\n' % (message, NAME[0], line))
NAME = ['-e']
def complain(what, code):
    sys.stdout.flush()
    sys.stderr.write(what)
    sys.stderr.flush()
    return code
