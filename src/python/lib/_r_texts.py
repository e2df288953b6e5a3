# Functions of texts and output.
import re
from _r_calls import CALLS, call
from _r_show import numbers, plain, texts
from _r_values import RError, Unknown, V, bad, txt
from _r_vectors import one, to, truth
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
