import _nd, os as _os
import numpy as _np
def _size(size):
    if size is None:
        return None, 1
    shape = _np._shape(size)
    return shape, _np._prod(shape)
class RandomState:
    def __init__(self, seed=None):
        self.seed(seed)
    def seed(self, seed=None):
        if seed is None:
            seed = int.from_bytes(_os.urandom(4), 'big')
        self._state = _nd.mt_seed(int(seed))
    def _draw(self, what, size, low=0.0, n=0):
        shape, count = _size(size)
        b = _nd.mt_fill(self._state, what, count, low, n)
        return _nd.get(b, 0) if shape is None else _np._make(b, shape)
    def random(self, size=None):
        return self._draw('random', size)
    random_sample = random
    def rand(self, *shape):
        return self._draw('random', shape or None)
    def randn(self, *shape):
        return self._draw('gauss', shape or None)
    def standard_normal(self, size=None):
        return self._draw('gauss', size)
    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._draw('gauss', size) * scale + loc
    def uniform(self, low=0.0, high=1.0, size=None):
        return self._draw('random', size) * (high - low) + low
    def exponential(self, scale=1.0, size=None):
        return -_np.log(1.0 - self._draw('random', size)) * scale
    def randint(self, low, high=None, size=None, dtype=int):
        if high is None:
            low, high = 0, low
        if low >= high:
            raise ValueError('low >= high')
        return self._draw('ints', size, low, high - low)
    integers = randint
    def choice(self, a, size=None, replace=True, p=None):
        pool = _np.arange(a) if isinstance(a, int) else a if isinstance(a, list) else _np.asarray(a)
        n = len(pool)
        shape, count = _size(size)
        if p is not None:
            total, sums = 0.0, []
            for x in p:
                total += x
                sums.append(total)
            places = []
            for _ in range(count):
                u, i = self.random() * total, 0
                while i < n - 1 and u >= sums[i]:
                    i += 1
                places.append(i)
        elif replace:
            places = _nd.list(self._draw('ints', (count,), 0, n)._b)
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            places = _nd.list(self.permutation(n)._b)[:count]
        if shape is None:
            return pool[places[0]]
        picked = [pool[i] for i in places]
        return picked if isinstance(picked[0] if picked else 0, str) else _np.array(picked).reshape(shape)
    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._draw('ints', None, 0, i + 1)
            if isinstance(x, list) or x.ndim == 1:
                x[i], x[j] = x[j], x[i]
            else:
                p, q = x[i], x[j]
                x[i] = q
                x[j] = p
    def permutation(self, x):
        a = _np.arange(x) if isinstance(x, int) else _np.array(x)
        self.shuffle(a)
        return a
    def binomial(self, n, p, size=None):
        shape, count = _size(size)
        r = [sum([1 for _ in range(n) if self.random() < p]) for _ in range(count)]
        return r[0] if shape is None else _np.array(r).reshape(shape)
    def poisson(self, lam=1.0, size=None):
        import math
        shape, count = _size(size)
        out = []
        for _ in range(count):
            limit, k, t = math.exp(-lam), 0, self.random()
            while t > limit:
                k += 1
                t *= self.random()
            out.append(k)
        return out[0] if shape is None else _np.array(out).reshape(shape)
    def spawn(self, n):
        return [RandomState(self.randint(0, 2 ** 31)) for _ in range(n)]
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise NotImplementedError('sandbatch does not simulate numpy.random.' + name)
Generator = RandomState
_inst = RandomState()
def default_rng(seed=None):
    # The numbers are not those of PCG64: the run is a model.
    import _host
    _host.model()
    return RandomState(seed)
def seed(s=None):
    _inst.seed(s)
rand, randn, randint, random, random_sample, normal, uniform, choice, shuffle, permutation, standard_normal, exponential, binomial, poisson = [
    getattr(_inst, n) for n in 'rand randn randint random random_sample normal uniform choice shuffle permutation standard_normal exponential binomial poisson'.split()]
ranf = sample = random
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate numpy.random.' + name)
