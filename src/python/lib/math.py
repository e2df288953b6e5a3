pi = 3.141592653589793
e = 2.718281828459045
tau = 6.283185307179586
inf = float('inf')
nan = float('nan')
def log(x, base=None):
    if base is None:
        return _ln(x)
    return _ln(x) / _ln(base)
def factorial(n):
    if not isinstance(n, int):
        raise TypeError("'" + type(n).__name__ + "' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError('factorial() not defined for negative values')
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r
def comb(n, k):
    if k > n:
        return 0
    r = 1
    for i in range(min(k, n - k)):
        r = r * (n - i) // (i + 1)
    return r
def perm(n, k=None):
    r = 1
    for i in range(n if k is None else k):
        r *= n - i
    return r
def gcd(*args):
    r = 0
    for b in args:
        while b:
            r, b = b, r % b
    return abs(r)
def lcm(*args):
    r = 1
    for b in args:
        r = abs(r * b) // gcd(r, b) if b else 0
    return r
def hypot(*args):
    return sqrt(sum([x * x for x in args]))
def dist(p, q):
    return sqrt(sum([(a - b) ** 2 for a, b in zip(p, q)]))
def radians(x):
    return x * pi / 180
def degrees(x):
    return x * 180 / pi
def prod(it, *, start=1):
    for x in it:
        start *= x
    return start
def fsum(it):
    partials = []
    for x in it:
        x = float(x)
        i = 0
        for y in partials:
            if abs(x) < abs(y):
                x, y = y, x
            hi = x + y
            lo = y - (hi - x)
            if lo:
                partials[i] = lo
                i += 1
            x = hi
        partials[i:] = [x]
    return sum(partials, 0.0)
def ldexp(x, n):
    return x * 2.0 ** n
def remainder(x, y):
    r = fmod(x, y)
    if abs(r) * 2 > abs(y) or abs(r) * 2 == abs(y) and (x - r) / y % 2:
        r -= copysign(y, r)
    return r
def asinh(x):
    return copysign(log(abs(x) + sqrt(x * x + 1)), x)
def acosh(x):
    return log(x + sqrt(x * x - 1))
def atanh(x):
    return log1p(2 * x / (1 - x)) / 2
def sumprod(p, q):
    return sum([a * b for a, b in zip(p, q)])
def nextafter(x, y):
    raise NotImplementedError('sandbatch does not simulate math.nextafter')
def ulp(x):
    m, e = frexp(abs(x))
    return ldexp(1.0, max(e - 53, -1074))
def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if a == b:
        return True
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
def modf(x):
    i = float(trunc(x))
    return x - i, i
