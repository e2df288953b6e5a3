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
