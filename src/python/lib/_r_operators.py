# Operators, sequences and assignments to parts.
from _r_calls import CALLS, arg, call
from _r_values import RANK, Unknown, V, dbl
from _r_vectors import arith, both, compare, join, one, to
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
