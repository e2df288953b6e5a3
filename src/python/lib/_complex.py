import math as _math
def _text(x):
    s = repr(x)
    return s[:-2] if s.endswith('.0') else s
def _join(a, b):
    return a + ('' if b[0] in '+-' else '+') + b + 'j'
def _parts(x):
    if isinstance(x, complex):
        return x._re, x._im
    if isinstance(x, (int, float)):
        return float(x), 0.0
    return None
def _parse(s):
    t = s.strip()
    if t[:1] == '(' and t[-1:] == ')':
        t = t[1:-1].strip()
    try:
        if t[-1:] not in ('j', 'J'):
            return float(t), 0.0
        t = t[:-1]
        for i in range(len(t) - 1, 0, -1):
            if t[i] in '+-' and t[i - 1] not in 'eE':
                return float(t[:i]), float(t[i:] + '1' if t[i:] in ('+', '-') else t[i:])
        return 0.0, float(t + '1' if t in ('', '+', '-') else t)
    except ValueError:
        raise ValueError('complex() arg is a malformed string') from None
def _new(re, im):
    z = object.__new__(complex)
    z._re, z._im = re, im
    return z
def _power(a, b, c, d):
    if c == 0 and d == 0:
        return 1.0, 0.0
    if a == 0 and b == 0:
        if d != 0 or c < 0:
            raise ZeroDivisionError('0.0 to a negative or complex power')
        return 0.0, 0.0
    r, angle = _math.hypot(a, b), _math.atan2(b, a)
    size, turn = r ** c, angle * c
    if d != 0:
        size /= _math.exp(angle * d)
        turn += d * _math.log(r)
    return size * _math.cos(turn), size * _math.sin(turn)
def _whole(a, b, n):
    x, y = 1.0, 0.0
    m = abs(n)
    while m:
        if m & 1:
            x, y = x * a - y * b, x * b + y * a
        a, b = a * a - b * b, 2 * a * b
        m >>= 1
    return (x, y) if n >= 0 else _quotient(1.0, 0.0, x, y)
def _quotient(a, b, c, d):
    if abs(c) >= abs(d):
        if c == 0:
            raise ZeroDivisionError('complex division by zero')
        r = d / c
        n = c + d * r
        return (a + b * r) / n, (b - a * r) / n
    r = c / d
    n = c * r + d
    return (a * r + b) / n, (b * r - a) / n
class complex:
    def __init__(self, real=0, imag=None):
        if isinstance(real, str):
            if imag is not None:
                raise TypeError("complex() can't take second arg if first is a string")
            self._re, self._im = _parse(real)
            return
        if isinstance(imag, str):
            raise TypeError("complex() second arg can't be a string")
        found = []
        for i, x in enumerate((real, 0 if imag is None else imag)):
            if hasattr(x, '__complex__') and not isinstance(x, complex):
                x = x.__complex__()
            elif hasattr(x, '__float__') and not isinstance(x, (int, float)):
                x = float(x)
            p = _parts(x)
            if p is None:
                raise TypeError("complex() first argument must be a string or a number, not '%s'" % type(x).__name__ if i == 0 else "complex() second argument must be a number, not '%s'" % type(x).__name__)
            found.append(p)
        (a, b), (c, d) = found
        if imag is None:
            self._re, self._im = a, b
        else:
            self._re, self._im = a - d if d else a, b + c if b else c
    real = property(lambda self: self._re)
    imag = property(lambda self: self._im)
    def conjugate(self):
        return _new(self._re, -self._im)
    def __complex__(self):
        return self
    def __repr__(self):
        if self._re == 0 and _math.copysign(1.0, self._re) > 0:
            return _text(self._im) + 'j'
        return '(' + _join(_text(self._re), _text(self._im)) + ')'
    __str__ = __repr__
    def __format__(self, spec):
        if not spec:
            return str(self)
        i = len(spec)
        kind = spec[-1] if spec[-1] in 'eEfFgGn' else ''
        width = spec.split('.')[0].rstrip('eEfFgGn')
        if kind:
            a, b = format(self._re, spec[len(width):] if width.strip('+, ') else spec), format(self._im, '+' + spec[len(width):])
            t = (('+' if '+' in width and a[0] not in '+-' else '') + a).lstrip() + b + 'j'
        else:
            part = spec[len(width):]
            t = format(self._re, part) + format(self._im, '+' + part) + 'j' if part else str(self)
        return format(t, width.lstrip('+')) if width.strip('+') and width.strip('+') != '0' else t
    def __hash__(self):
        return hash(self._re) if self._im == 0 else hash((self._re, self._im))
    def __eq__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else self._re == p[0] and self._im == p[1]
    def __bool__(self):
        return self._re != 0 or self._im != 0
    def __abs__(self):
        return _math.hypot(self._re, self._im)
    def __neg__(self):
        return _new(-self._re, -self._im)
    def __pos__(self):
        return self
    def __add__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(self._re + p[0], self._im + p[1])
    __radd__ = __add__
    def __sub__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(self._re - p[0], self._im - p[1])
    def __rsub__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(p[0] - self._re, p[1] - self._im)
    def __mul__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(self._re * p[0] - self._im * p[1], self._re * p[1] + self._im * p[0])
    __rmul__ = __mul__
    def __truediv__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(*_quotient(self._re, self._im, p[0], p[1]))
    def __rtruediv__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else _new(*_quotient(p[0], p[1], self._re, self._im))
    def __pow__(self, other):
        p = _parts(other)
        if p is None:
            return NotImplemented
        if p[1] == 0 and p[0] == int(p[0]) and abs(p[0]) <= 100:
            return _new(*_whole(self._re, self._im, int(p[0])))
        return _new(*_power(self._re, self._im, p[0], p[1]))
    def __rpow__(self, other):
        p = _parts(other)
        return NotImplemented if p is None else complex(other) ** self
    def __getnewargs__(self):
        return self._re, self._im
def _imaginary(x):
    return _new(0.0, x)
complex.__module__ = 'builtins'
_define('complex', complex)
_define('_imaginary', _imaginary)
