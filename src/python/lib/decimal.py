ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_DOWN, ROUND_UP = 'ROUND_HALF_UP', 'ROUND_HALF_EVEN', 'ROUND_DOWN', 'ROUND_UP'
class DecimalException(ArithmeticError): pass
class InvalidOperation(DecimalException): pass
class DivisionByZero(DecimalException, ZeroDivisionError): pass
class _Context:
    prec = 28
_context = _Context()
def getcontext():
    return _context
def _rounded(n, drop, how):
    # A whole number without its last `drop` digits.
    sign, n = (-1, -n) if n < 0 else (1, n)
    q, r = divmod(n, 10 ** drop)
    half = 5 * 10 ** (drop - 1) if drop else 0
    if drop and (how == 'ROUND_UP' and r or how == 'ROUND_HALF_UP' and r >= half or how == 'ROUND_HALF_EVEN' and (r > half or r == half and q % 2)):
        q += 1
    return sign * q
class Decimal:
    def __init__(self, x=0, exp=None):
        if exp is not None:
            self._n, self._e = x, exp
        elif isinstance(x, Decimal):
            self._n, self._e = x._n, x._e
        elif isinstance(x, int):
            self._n, self._e = x, 0
        elif isinstance(x, float):
            a, b = x.as_integer_ratio()
            e = 0
            while b > 1:
                a, b, e = a * 5, b // 2, e - 1
            self._n, self._e = a, e
        else:
            try:
                s, _, e = x.strip().lower().replace('_', '').partition('e')
                whole, _, part = s.partition('.')
                self._n, self._e = int(whole + part), (int(e) if e else 0) - len(part)
            except ValueError:
                raise InvalidOperation("[<class 'decimal.ConversionSyntax'>]") from None
    def _fit(self):
        extra = len(str(abs(self._n))) - _context.prec
        return self if extra <= 0 else Decimal(_rounded(self._n, extra, 'ROUND_HALF_EVEN'), self._e + extra)
    def _pair(self, o):
        o = o if isinstance(o, Decimal) else Decimal(o)
        e = min(self._e, o._e)
        return self._n * 10 ** (self._e - e), o._n * 10 ** (o._e - e), e
    def _good(self, o):
        return isinstance(o, (int, Decimal))
    def __add__(self, o):
        if not self._good(o): return NotImplemented
        a, b, e = self._pair(o)
        return Decimal(a + b, e)._fit()
    __radd__ = __add__
    def __sub__(self, o):
        if not self._good(o): return NotImplemented
        a, b, e = self._pair(o)
        return Decimal(a - b, e)._fit()
    def __rsub__(self, o): return Decimal(o) - self
    def __mul__(self, o):
        if not self._good(o): return NotImplemented
        o = Decimal(o)
        return Decimal(self._n * o._n, self._e + o._e)._fit()
    __rmul__ = __mul__
    def __truediv__(self, o):
        if not self._good(o): return NotImplemented
        o = Decimal(o)
        if o._n == 0:
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
        shift = _context.prec + len(str(abs(o._n))) + 1
        n = self._n * 10 ** shift
        q, r = divmod(abs(n), abs(o._n))
        if n * o._n < 0:
            q = -q
        e, ideal = self._e - o._e - shift, self._e - o._e
        if r:
            return Decimal(q * 10 + (1 if q > 0 else -1), e - 1)._fit()
        while e < ideal and q % 10 == 0:
            q, e = q // 10, e + 1
        return Decimal(q, e)._fit()
    def __rtruediv__(self, o): return Decimal(o) / self
    def __floordiv__(self, o):
        a, b, e = self._pair(o)
        return Decimal(abs(a) // abs(b) * (1 if a * b >= 0 else -1), 0)
    def __mod__(self, o): return self - Decimal(o) * (self // o)
    def __pow__(self, n):
        r = Decimal(1)
        for _ in range(abs(n)):
            r = r * self
        return r if n >= 0 else 1 / r
    def __neg__(self): return Decimal(-self._n, self._e)
    def __abs__(self): return Decimal(abs(self._n), self._e)
    def __float__(self): return float(str(self))
    def __int__(self): return int(self._n * 10 ** self._e if self._e >= 0 else abs(self._n) // 10 ** -self._e * (1 if self._n >= 0 else -1))
    def __bool__(self): return self._n != 0
    def __hash__(self): return hash(float(self))
    def _cmp(self, o):
        if isinstance(o, float):
            o = Decimal(o)
        a, b, _ = self._pair(o)
        return (a > b) - (a < b)
    def __eq__(self, o): return isinstance(o, (int, float, Decimal)) and self._cmp(o) == 0
    def __lt__(self, o): return self._cmp(o) < 0
    def __le__(self, o): return self._cmp(o) <= 0
    def __gt__(self, o): return self._cmp(o) > 0
    def __ge__(self, o): return self._cmp(o) >= 0
    def quantize(self, q, rounding='ROUND_HALF_EVEN'):
        e = Decimal(q)._e
        if e <= self._e:
            return Decimal(self._n * 10 ** (self._e - e), e)
        return Decimal(_rounded(self._n, e - self._e, rounding), e)
    def __round__(self, n=None):
        if n is None:
            return int(self.quantize(Decimal(1)))
        return self.quantize(Decimal(1, -n))
    def sqrt(self):
        import math
        shift = 2 * _context.prec + (self._e % 2)
        return Decimal(math.isqrt(self._n * 10 ** shift), (self._e - shift) // 2)._fit()
    def __str__(self):
        digits, sign = str(abs(self._n)), '-' if self._n < 0 else ''
        e = self._e
        left = e + len(digits)
        if e <= 0 and left > -6:
            if e == 0:
                return sign + digits
            return sign + (digits[:left] + '.' + digits[left:] if left > 0 else '0.' + '0' * -left + digits)
        text = digits[0] + ('.' + digits[1:] if len(digits) > 1 else '')
        return sign + text + 'E%+d' % (left - 1)
    def __repr__(self):
        return "Decimal('" + str(self) + "')"
    def __format__(self, spec):
        if spec and spec[-1] in 'f%' and '.' in spec:
            places = int(spec[:-1].rpartition('.')[2])
            text = str(self.quantize(Decimal(1, -places)))
            return format(text, '>' + spec[:-1].partition('.')[0].lstrip(',')) if spec[:-1].partition('.')[0].isdigit() else text
        return format(str(self), spec) if spec else str(self)
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate decimal.' + name)
