# Conversion, arithmetic, and selection of elements.
import math
from _r_show import texts
from _r_values import NULL, RANK, RError, Unknown, V, WARNINGS
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
