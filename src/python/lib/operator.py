def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def eq(a, b): return a == b
def lt(a, b): return a < b
def gt(a, b): return a > b
def neg(a): return -a
def itemgetter(*keys):
    if len(keys) == 1:
        return lambda o: o[keys[0]]
    return lambda o: tuple([o[k] for k in keys])
def attrgetter(name):
    return lambda o: getattr(o, name)
def methodcaller(name, *args):
    return lambda o: getattr(o, name)(*args)
def contains(a, b): return b in a
def not_(a): return not a
def truth(a): return bool(a)
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def ne(a, b): return a != b
def le(a, b): return a <= b
def ge(a, b): return a >= b
def pow(a, b): return a ** b
def pos(a): return +a
def abs(a): return a if a >= 0 else -a
def invert(a): return ~a
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def matmul(a, b): return a @ b
def concat(a, b): return a + b
def getitem(a, k): return a[k]
def setitem(a, k, v): a[k] = v
def delitem(a, k): del a[k]
def countOf(a, b): return list(a).count(b)
def indexOf(a, b): return list(a).index(b)
def iadd(a, b):
    a += b
    return a
def attrgetter(*names):
    def one(o, name):
        for part in name.split('.'):
            o = getattr(o, part)
        return o
    if len(names) == 1:
        return lambda o: one(o, names[0])
    return lambda o: tuple([one(o, n) for n in names])
def methodcaller(name, *args, **kwargs):
    return lambda o: getattr(o, name)(*args, **kwargs)
def index(a): return a.__index__() if not isinstance(a, int) else a
