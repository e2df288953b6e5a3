# Functions of numbers and vectors.
import math, os
from _r_calls import CALLS, arg, hidden
from _r_values import NULL, RANK, RError, V, WARNINGS, bad, dbl, lgl, txt
from _r_vectors import join, one, picked, to, truth
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
