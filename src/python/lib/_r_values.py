# Values of R: vectors and functions.
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
WARNINGS = []
VISIBLE = [True]
DEPTH = [0]
DEFINED = set()
ARGS = []
