# Numbers and values as text.
import math
from _r_values import F, Unknown, V, bad
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
