# The table of R's functions.
import math
from _r_values import NULL, V, VISIBLE, dbl, lgl, txt
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
