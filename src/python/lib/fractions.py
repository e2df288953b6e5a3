import math as _m
class Fraction:
    def __init__(self, a=0, b=None):
        if b is None:
            if isinstance(a, str):
                s = a.strip()
                if '/' in s:
                    n, d = [int(x) for x in s.split('/')]
                else:
                    whole, _, part = s.partition('.')
                    n, d = int(whole + part), 10 ** len(part)
            elif isinstance(a, float):
                n, d = a.as_integer_ratio()
            elif isinstance(a, Fraction):
                n, d = a.numerator, a.denominator
            else:
                n, d = int(a), 1
        else:
            x, y = Fraction(a), Fraction(b)
            n, d = x.numerator * y.denominator, x.denominator * y.numerator
        if d == 0:
            raise ZeroDivisionError('Fraction(%s, 0)' % n)
        g = _m.gcd(n, d)
        if d < 0:
            g = -g
        self.numerator, self.denominator = n // g, d // g
    def __repr__(self):
        return 'Fraction(%d, %d)' % (self.numerator, self.denominator)
    def __str__(self):
        return str(self.numerator) + ('' if self.denominator == 1 else '/%d' % self.denominator)
    def _of(self, o):
        return o if isinstance(o, Fraction) else Fraction(o) if isinstance(o, int) else None
    def _op(self, o, f, g):
        if isinstance(o, float):
            return g(float(self), o)
        o = self._of(o)
        return NotImplemented if o is None else f(self.numerator, self.denominator, o.numerator, o.denominator)
    def __add__(self, o): return self._op(o, lambda a, b, c, d: Fraction(a * d + c * b, b * d), lambda x, y: x + y)
    __radd__ = __add__
    def __sub__(self, o): return self._op(o, lambda a, b, c, d: Fraction(a * d - c * b, b * d), lambda x, y: x - y)
    def __rsub__(self, o): return -self + o
    def __mul__(self, o): return self._op(o, lambda a, b, c, d: Fraction(a * c, b * d), lambda x, y: x * y)
    __rmul__ = __mul__
    def __truediv__(self, o): return self._op(o, lambda a, b, c, d: Fraction(a * d, b * c), lambda x, y: x / y)
    def __rtruediv__(self, o): return Fraction(o) / self
    def __floordiv__(self, o): return self._op(o, lambda a, b, c, d: a * d // (b * c), lambda x, y: x // y)
    def __mod__(self, o): return self - o * (self // o)
    def __pow__(self, n): return Fraction(self.numerator ** n, self.denominator ** n) if n >= 0 else Fraction(self.denominator ** -n, self.numerator ** -n)
    def __neg__(self): return Fraction(-self.numerator, self.denominator)
    def __abs__(self): return Fraction(abs(self.numerator), self.denominator)
    def __float__(self): return self.numerator / self.denominator
    def __int__(self): return int(self.numerator / self.denominator)
    def __round__(self, n=None): return round(float(self), n)
    def __bool__(self): return self.numerator != 0
    def __hash__(self): return hash(self.numerator) if self.denominator == 1 else hash((self.numerator, self.denominator))
    def _cmp(self, o):
        if isinstance(o, float):
            return float(self) - o
        o = Fraction(o)
        return self.numerator * o.denominator - o.numerator * self.denominator
    def __eq__(self, o): return isinstance(o, (Fraction, int, float)) and self._cmp(o) == 0
    def __lt__(self, o): return self._cmp(o) < 0
    def __le__(self, o): return self._cmp(o) <= 0
    def __gt__(self, o): return self._cmp(o) > 0
    def __ge__(self, o): return self._cmp(o) >= 0
    def limit_denominator(self, most=1000000):
        if self.denominator <= most:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > most:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (most - q0) // q1
        x, y = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return y if abs(y - self) <= abs(x - self) else x
