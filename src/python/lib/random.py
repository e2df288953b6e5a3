import os as _os
from math import log as _log, sqrt as _sqrt, pi as _pi, cos as _cos, sin as _sin, exp as _exp
class Random:
    def __init__(self, x=None):
        self.seed(x)
    def seed(self, a=None, version=2):
        self._gauss = None
        if a is None:
            a = int.from_bytes(_os.urandom(16), 'big')
        if isinstance(a, float):
            a = hash(a)
        if isinstance(a, (str, bytes)):
            from hashlib import _sha512
            a = a.encode() if isinstance(a, str) else a
            a = int.from_bytes(a + _sha512(a), 'big')
        a = abs(int(a))
        key = []
        while a:
            key.append(a & 0xffffffff)
            a >>= 32
        key = key or [0]
        mt = [19650218]
        for i in range(1, 624):
            mt.append((1812433253 * (mt[i - 1] ^ (mt[i - 1] >> 30)) + i) & 0xffffffff)
        i, j = 1, 0
        for _ in range(max(624, len(key))):
            mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xffffffff
            i += 1
            j += 1
            if i >= 624:
                mt[0] = mt[623]
                i = 1
            if j >= len(key):
                j = 0
        for _ in range(623):
            mt[i] = ((mt[i] ^ ((mt[i - 1] ^ (mt[i - 1] >> 30)) * 1566083941)) - i) & 0xffffffff
            i += 1
            if i >= 624:
                mt[0] = mt[623]
                i = 1
        mt[0] = 0x80000000
        self._mt, self._i = mt, 624
    def getstate(self):
        return (tuple(self._mt), self._i, self._gauss)
    def setstate(self, state):
        self._mt, self._i, self._gauss = list(state[0]), state[1], state[2]
    def _next(self):
        if self._i >= 624:
            mt = self._mt
            for k in range(624):
                y = (mt[k] & 0x80000000) | (mt[(k + 1) % 624] & 0x7fffffff)
                mt[k] = mt[(k + 397) % 624] ^ (y >> 1) ^ (0x9908b0df if y & 1 else 0)
            self._i = 0
        y = self._mt[self._i]
        self._i += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9d2c5680
        y ^= (y << 15) & 0xefc60000
        return y ^ (y >> 18)
    def random(self):
        a, b = self._next() >> 5, self._next() >> 6
        return (a * 67108864 + b) / 9007199254740992
    def getrandbits(self, k):
        r, n = 0, 0
        while k > 0:
            w = self._next()
            if k < 32:
                w >>= 32 - k
            r |= w << n
            n += 32
            k -= 32
        return r
    def _below(self, n):
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r
    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        n = len(range(start, stop, step))
        if n <= 0:
            raise ValueError('empty range for randrange() (%d, %d, %d)' % (start, stop, stop - start))
        return start + step * self._below(n)
    def randint(self, a, b):
        return self.randrange(a, b + 1)
    def choice(self, seq):
        if not len(seq):
            raise IndexError('Cannot choose from an empty sequence')
        return seq[self._below(len(seq))]
    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if weights is None and cum_weights is None:
            return [population[int(self.random() * n)] for _ in range(k)]
        if cum_weights is None:
            cum_weights, t = [], 0
            for w in weights:
                t += w
                cum_weights.append(t)
        total = cum_weights[-1] + 0.0
        out = []
        for _ in range(k):
            x = self.random() * total
            lo, hi = 0, n - 1
            while lo < hi:
                mid = (lo + hi) // 2
                if x < cum_weights[mid]:
                    hi = mid
                else:
                    lo = mid + 1
            out.append(population[lo])
        return out
    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]
    def sample(self, population, k):
        n = len(population)
        if k > n or k < 0:
            raise ValueError('Sample larger than population or is negative')
        setsize = 21
        if k > 5:
            p = 1
            while p < k * 3:
                p *= 4
            setsize += p
        result = [None] * k
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._below(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            selected = set()
            for i in range(k):
                j = self._below(n)
                while j in selected:
                    j = self._below(n)
                selected.add(j)
                result[i] = population[j]
        return result
    def uniform(self, a, b):
        return a + (b - a) * self.random()
    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * _sqrt(u * c)
    def gauss(self, mu=0.0, sigma=1.0):
        z, self._gauss = self._gauss, None
        if z is None:
            x2pi = self.random() * 2 * _pi
            g2rad = _sqrt(-2.0 * _log(1.0 - self.random()))
            z = _cos(x2pi) * g2rad
            self._gauss = _sin(x2pi) * g2rad
        return mu + z * sigma
    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = 1.7155277699214135 * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_log(u2):
                return mu + z * sigma
    def expovariate(self, lambd=1.0):
        return -_log(1.0 - self.random()) / lambd
    def lognormvariate(self, mu, sigma):
        return _exp(self.normalvariate(mu, sigma))
    def gammavariate(self, alpha, beta):
        if alpha > 1.0:
            ainv = _sqrt(2.0 * alpha - 1.0)
            b = alpha - 1.3862943611198906
            c = alpha + ainv
            while True:
                u1 = self.random()
                if not 1e-7 < u1 < 0.9999999:
                    continue
                u2 = 1.0 - self.random()
                v = _log(u1 / (1.0 - u1)) / ainv
                x = alpha * _exp(v)
                z = u1 * u1 * u2
                r = b + c * v - x
                if r + 2.504077396776274 - 4.5 * z >= 0.0 or r >= _log(z):
                    return x * beta
        elif alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        while True:
            u = self.random()
            b = (2.718281828459045 + alpha) / 2.718281828459045
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    break
            elif u1 <= _exp(-x):
                break
        return x * beta
    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0
    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)
    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)
    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, 'little')
_inst = None
def _get():
    global _inst
    if _inst is None:
        _inst = Random()
    return _inst
def seed(a=None):
    global _inst
    _inst = Random(a)
def random(): return _get().random()
def uniform(a, b): return _get().uniform(a, b)
def triangular(*a): return _get().triangular(*a)
def randint(a, b): return _get().randint(a, b)
def randrange(*a): return _get().randrange(*a)
def choice(s): return _get().choice(s)
def choices(*a, **k): return _get().choices(*a, **k)
def shuffle(x): return _get().shuffle(x)
def sample(p, k): return _get().sample(p, k)
def gauss(*a): return _get().gauss(*a)
def normalvariate(*a): return _get().normalvariate(*a)
def expovariate(*a): return _get().expovariate(*a)
def getrandbits(k): return _get().getrandbits(k)
def lognormvariate(*a): return _get().lognormvariate(*a)
def gammavariate(*a): return _get().gammavariate(*a)
def betavariate(*a): return _get().betavariate(*a)
def paretovariate(*a): return _get().paretovariate(*a)
def weibullvariate(*a): return _get().weibullvariate(*a)
def randbytes(n): return _get().randbytes(n)
def getstate(): return _get().getstate()
def setstate(s): _get().setstate(s)
SystemRandom = Random
