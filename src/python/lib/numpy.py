import _nd, _host
import math as _m
_sum, _max, _min, _round, _any, _all, _abs = sum, max, min, round, any, all, abs
__version__ = _host.version('numpy')
pi, e, inf, nan, newaxis = _m.pi, _m.e, _m.inf, _m.nan, None
NaN = NAN = nan
Inf = inf
class dtype:
    def __init__(self, name, kind, itemsize):
        self.name, self._kind, self.itemsize = name, kind, itemsize
        self.__name__ = name
    def __call__(self, x=0):
        if isinstance(x, (ndarray, list, tuple)):
            return array(x, self)
        return (bool, int, float)[self._kind](x)
    def __eq__(self, other):
        return self is _dtype(other) if other is not None else False
    def __hash__(self):
        return hash(self.name)
    def __str__(self):
        return self.name
    def __repr__(self):
        return "dtype('" + self.name + "')"
bool_ = dtype('bool', 0, 1)
int8, int16, int32, int64 = dtype('int8', 1, 1), dtype('int16', 1, 2), dtype('int32', 1, 4), dtype('int64', 1, 8)
uint8, uint16, uint32, uint64 = dtype('uint8', 1, 1), dtype('uint16', 1, 2), dtype('uint32', 1, 4), dtype('uint64', 1, 8)
float16, float32, float64 = dtype('float16', 2, 2), dtype('float32', 2, 4), dtype('float64', 2, 8)
int_ = intp = int64
float_ = double = float64
single = float32
_DTYPES = {d.name: d for d in (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64)}
_KINDS = (bool_, int64, float64)
_SHORT = {'f4': float32, 'f8': float64, 'f': float32, 'd': float64, 'i4': int32, 'i8': int64, 'i': int32, 'u1': uint8, 'b1': bool_, '?': bool_, 'float': float64, 'int': int64, 'bool': bool_}
def _dtype(d):
    if d is None or type(d) is dtype:
        return d
    if d is float:
        return float64
    if d is int:
        return int64
    if d is bool:
        return bool_
    if isinstance(d, str):
        d = d.lstrip('<=>')
        if d in _DTYPES:
            return _DTYPES[d]
        if d in _SHORT:
            return _SHORT[d]
    raise TypeError('data type %r not understood' % (d,))
def _prod(shape):
    n = 1
    for k in shape:
        n *= k
    return n
def _shape(s):
    return (int(s),) if not isinstance(s, (tuple, list, ndarray)) else tuple([int(k) for k in s])
def _make(b, shape, d=None):
    if d is None:
        d = _KINDS[_nd.kind(b)]
    elif d is float32:
        b = _nd.round32(b)
    if d.itemsize != 8 and d._kind:
        _nd.width(b, d.itemsize)
    return ndarray(b, shape, d)
def _flat(x, shape, depth, out):
    if depth == len(shape):
        out.append(x)
        return
    if not isinstance(x, (list, tuple, ndarray)) or len(x) != shape[depth]:
        raise ValueError('setting an array element with a sequence. The requested array has an inhomogeneous shape after %d dimensions. The detected shape was %s + inhomogeneous part.' % (depth, tuple(shape[:depth])))
    for y in x:
        _flat(y, shape, depth + 1, out)
def array(x, dtype=None, copy=True, ndmin=0):
    d = _dtype(dtype)
    if isinstance(x, ndarray):
        r = _make(_nd.copy(x._b), x.shape, x.dtype)
        return r if d is None or d is x.dtype else r.astype(d)
    if isinstance(x, (int, float)):
        return _make(_nd.new([x], None if d is None else d._kind), (), d)
    if hasattr(x, '__array__'):
        return x.__array__()
    if not isinstance(x, (list, tuple)):
        if isinstance(x, (range, set)) or hasattr(x, '__next__'):
            x = list(x)
        elif isinstance(x, str):
            raise NotImplementedError('sandbatch does not simulate numpy arrays of strings')
        else:
            b = _nd.new([x], None if d is None else d._kind)
            return _make(b, (), d)
    shape, y = [], x
    while isinstance(y, (list, tuple, ndarray)):
        shape.append(len(y))
        if not len(y):
            break
        y = y[0]
    if isinstance(y, str):
        raise NotImplementedError('sandbatch does not simulate numpy arrays of strings')
    if len(shape) == 1:
        flat = x
    else:
        flat = []
        _flat(x, shape, 0, flat)
    b = _nd.new(flat, None if d is None else d._kind)
    return _make(b, tuple(shape), d)
def asarray(x, dtype=None):
    if isinstance(x, ndarray) and (dtype is None or _dtype(dtype) is x.dtype):
        return x
    return array(x, dtype)
ascontiguousarray = asanyarray = asarray
def full(shape, value, dtype=None):
    d = _dtype(dtype) or (bool_ if isinstance(value, bool) else int64 if isinstance(value, int) else float64)
    shape = _shape(shape)
    return _make(_nd.fill(d._kind, _prod(shape), value), shape, d)
def zeros(shape, dtype=float, order='C'):
    return full(shape, 0, dtype)
def ones(shape, dtype=float, order='C'):
    return full(shape, 1, dtype)
empty = zeros
def zeros_like(a, dtype=None):
    return full(asarray(a).shape, 0, dtype or asarray(a).dtype)
def ones_like(a, dtype=None):
    return full(asarray(a).shape, 1, dtype or asarray(a).dtype)
empty_like = zeros_like
def full_like(a, value, dtype=None):
    return full(asarray(a).shape, value, dtype or asarray(a).dtype)
def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    n = _max(0, _m.ceil((stop - start) / step))
    whole = _all([isinstance(v, int) for v in (start, stop, step)])
    d = _dtype(dtype) or (int64 if whole else float64)
    return _make(_nd.arange(d._kind, start, step, n), (n,), d)
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    step = (stop - start) / _max(1, num - 1 if endpoint else num)
    b = _nd.arange(2, 0.0, 1.0, num)
    r = _make(b, (num,)) * step + start
    if endpoint and num > 1 and num <= 1048576:
        r[num - 1] = float(stop)
    return (r, step) if retstep else r
def logspace(start, stop, num=50, base=10.0):
    return power(base, linspace(start, stop, num))
def eye(n, m=None, dtype=float):
    r = zeros((n, m or n), dtype)
    for i in range(_min(n, m or n)):
        r[i, i] = 1
    return r
identity = eye
def diag(v):
    v = asarray(v)
    if v.ndim == 1:
        r = zeros((v.size, v.size), v.dtype)
        for i in range(v.size):
            r[i, i] = v[i]
        return r
    return array([v[i, i] for i in range(_min(v.shape))], v.dtype)
def _broadcast(a, b):
    if a == b:
        return a
    n = _max(len(a), len(b))
    x, y = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
    out = []
    for p, q in zip(x, y):
        if p != q and p != 1 and q != 1:
            def show(s):
                return '(' + ','.join([str(k) for k in s]) + (',)' if len(s) == 1 else ')')
            raise ValueError('operands could not be broadcast together with shapes %s %s ' % (show(a), show(b)))
        out.append(q if p == 1 else p)
    return tuple(out)
def _op(op, a, b, d=None):
    weak = None
    if not isinstance(a, ndarray):
        if not isinstance(a, (int, float, list, tuple)):
            return NotImplemented
        weak = a
        a = asarray(a)
    if not isinstance(b, ndarray):
        if not isinstance(b, (int, float, list, tuple)):
            return NotImplemented
        weak = b
        b = asarray(b)
    shape = _broadcast(a.shape, b.shape)
    if d is None:
        d = _result(a, b, weak)
        if op in ('div', 'arctan2') and d._kind < 2:
            d = float64
        elif op in ('add', 'sub', 'mul', 'pow', 'floor', 'mod') and d is bool_:
            d = int64 if op not in ('add', 'mul') else bool_
    if op == 'pow' and d._kind == 1 and b.size == 1 and b.item() < 0:
        raise ValueError('Integers to negative integer powers are not allowed.')
    r = _make(_nd.binary(op, a._b, a.shape, b._b, b.shape, shape, d._kind), shape, d)
    return r.item() if shape == () else r
def _result(a, b, weak):
    x, y = a.dtype, b.dtype
    if x is y:
        return x
    if isinstance(weak, (int, float)):
        strong, w = (y, x) if weak is not None and a.shape == () and b.shape != () else (x, y)
        if w._kind <= strong._kind:
            return strong
        return float64 if w._kind == 2 else w
    if x._kind != y._kind:
        hi, lo = (x, y) if x._kind > y._kind else (y, x)
        if hi is float32 and lo.itemsize > 2:
            return float64
        return hi
    return x if x.itemsize >= y.itemsize else y
def _unary(op, a, keep=False):
    if not isinstance(a, (ndarray, list, tuple)) and not hasattr(a, '__array__'):
        r = _nd.unary(op, _nd.new([a], None), 0 if op in _TESTS else 1 if keep and not isinstance(a, float) else 2)
        return _nd.get(r, 0)
    a = asarray(a)
    d = bool_ if op in _TESTS else a.dtype if keep or a.dtype._kind == 2 else float64
    return _make(_nd.unary(op, a._b, d._kind), a.shape, d)
_TESTS = ('not', 'isnan', 'isinf', 'isfinite')
def _axis(a, axis):
    if not -a.ndim <= axis < a.ndim:
        raise _AxisError('axis %d is out of bounds for array of dimension %d' % (axis, a.ndim))
    return axis % a.ndim
class _AxisError(ValueError, IndexError): pass
_AxisError.__module__, _AxisError.__qualname__ = 'numpy.exceptions', 'AxisError'
def _reduce(op, a, axis=None, keepdims=False):
    a = asarray(a)
    if a.size == 0 and op in ('max', 'min', 'argmax', 'argmin'):
        if op.startswith('arg'):
            raise ValueError('attempt to get ' + op + ' of an empty sequence')
        raise ValueError('zero-size array to reduction operation ' + {'max': 'maximum', 'min': 'minimum'}[op] + ' which has no identity')
    keep = a.dtype if op in ('max', 'min') or op in ('sum', 'prod') and a.dtype._kind == 2 else None
    if axis is None:
        r = _nd.reduce(op, a._b, 1, a.size, 1)
        if keep is float32:
            r = _nd.round32(r)
        v = _nd.get(r, 0)
        return _make(r, (1,) * a.ndim, keep) if keepdims else v
    if isinstance(axis, (tuple, list)):
        for k in sorted([_axis(a, x) for x in axis], reverse=True):
            a = _reduce(op, a, k, keepdims)
        return a
    axis = _axis(a, axis)
    r = _nd.reduce(op, a._b, _prod(a.shape[:axis]), a.shape[axis], _prod(a.shape[axis + 1:]))
    shape = a.shape[:axis] + ((1,) if keepdims else ()) + a.shape[axis + 1:]
    if shape == ():
        return _nd.get(r, 0)
    return _make(r, shape, keep)
class ndarray:
    def __init__(self, b, shape, dtype):
        self._b, self.shape, self.dtype = b, shape, dtype
    @property
    def ndim(self):
        return len(self.shape)
    @property
    def size(self):
        return _prod(self.shape)
    @property
    def itemsize(self):
        return self.dtype.itemsize
    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize
    @property
    def T(self):
        return self.transpose()
    @property
    def flat(self):
        return iter(_nd.list(self._b))
    def __len__(self):
        if not self.shape:
            raise TypeError('len() of unsized object')
        return self.shape[0]
    def __iter__(self):
        if len(self.shape) == 1:
            return iter(_nd.list(self._b))
        return iter([self[i] for i in range(len(self))])
    def __contains__(self, x):
        return bool(_reduce('any', self == x))
    def item(self, *i):
        if i:
            return self[i if len(i) > 1 else i[0]]
        if self.size != 1:
            raise ValueError('can only convert an array of size 1 to a Python scalar')
        return _nd.get(self._b, 0)
    def __float__(self):
        return float(self.item())
    def __int__(self):
        return int(self.item())
    def __bool__(self):
        if self.size > 1:
            raise ValueError('The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()')
        return self.size == 1 and bool(self.item())
    def tolist(self):
        flat = _nd.list(self._b)
        for n in reversed(self.shape[1:]):
            flat = [flat[i:i + n] for i in range(0, len(flat), n)] if n else flat
        return flat if self.shape else flat[0]
    def copy(self, order='C'):
        return _make(_nd.copy(self._b), self.shape, self.dtype)
    def astype(self, dtype, copy=True):
        d = _dtype(dtype)
        return _make(_nd.cast(self._b, d._kind), self.shape, d)
    def reshape(self, *shape, order='C'):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = shape[0]
        shape = [int(k) for k in shape]
        if -1 in shape:
            known = _prod([k for k in shape if k != -1])
            if known and self.size % known == 0:
                shape[shape.index(-1)] = self.size // known
        if _prod(shape) != self.size:
            raise ValueError('cannot reshape array of size %d into shape (%s)' % (self.size, ','.join([str(k) for k in shape]) + (',' if len(shape) == 1 else '')))
        return ndarray(self._b, tuple(shape), self.dtype)
    def ravel(self, order='C'):
        return self.reshape(-1)
    def flatten(self, order='C'):
        return self.copy().reshape(-1)
    def squeeze(self, axis=None):
        return ndarray(self._b, tuple([k for i, k in enumerate(self.shape) if not (k == 1 and (axis is None or i == axis % self.ndim))]), self.dtype)
    def transpose(self, *axes):
        if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
            axes = axes[0]
        axes = [k % self.ndim for k in axes] if axes and axes[0] is not None else list(reversed(range(self.ndim)))
        steps = _steps(self.shape)
        shape = tuple([self.shape[k] for k in axes])
        return _make(_nd.gather(self._b, [steps[k] for k in axes], shape, 0), shape, self.dtype)
    def swapaxes(self, a, b):
        axes = list(range(self.ndim))
        axes[a], axes[b] = axes[b], axes[a]
        return self.transpose(*axes)
    def fill(self, value):
        self[...] = value
    def sum(self, axis=None, dtype=None, keepdims=False):
        return _reduce('sum', self, axis, keepdims)
    def prod(self, axis=None, keepdims=False):
        return _reduce('prod', self, axis, keepdims)
    def max(self, axis=None, keepdims=False):
        return _reduce('max', self, axis, keepdims)
    def min(self, axis=None, keepdims=False):
        return _reduce('min', self, axis, keepdims)
    def any(self, axis=None, keepdims=False):
        return _reduce('any', self, axis, keepdims)
    def all(self, axis=None, keepdims=False):
        return _reduce('all', self, axis, keepdims)
    def argmax(self, axis=None):
        return _reduce('argmax', self, axis)
    def argmin(self, axis=None):
        return _reduce('argmin', self, axis)
    def ptp(self, axis=None):
        return self.max(axis) - self.min(axis)
    def mean(self, axis=None, dtype=None, keepdims=False):
        n = self.size if axis is None else _prod([self.shape[_axis(self, k)] for k in (axis if isinstance(axis, tuple) else (axis,))])
        if not n:
            return nan
        a = self if self.dtype._kind == 2 else self.astype(float64)
        return _reduce('sum', a, axis, keepdims) / n
    def var(self, axis=None, dtype=None, ddof=0, keepdims=False):
        n = self.size if axis is None else self.shape[_axis(self, axis)]
        a = self if self.dtype._kind == 2 else self.astype(float64)
        d = a - a.mean(axis, keepdims=True)
        return _reduce('sum', d * d, axis, keepdims) / (n - ddof) if n > ddof else nan
    def std(self, axis=None, dtype=None, ddof=0, keepdims=False):
        return sqrt(self.var(axis, None, ddof, keepdims))
    def cumsum(self, axis=None):
        return cumsum(self, axis)
    def cumprod(self, axis=None):
        return cumsum(self, axis, 'prod')
    def round(self, decimals=0):
        return round(self, decimals)
    def clip(self, a=None, b=None):
        return clip(self, a, b)
    def dot(self, other):
        return dot(self, other)
    def sort(self, axis=-1):
        _nd.replace(self._b, _nd.sort(self._b, self.shape[-1]))
    def argsort(self, axis=-1):
        return argsort(self, axis)
    def nonzero(self):
        return nonzero(self)
    def repeat(self, n, axis=None):
        return repeat(self, n, axis)
    def tofile(self, name):
        raise NotImplementedError('sandbatch does not simulate numpy.ndarray.tofile')
    def _plan(self, index):
        if not isinstance(index, tuple):
            index = (index,)
        given = len([k for k in index if k is not None and k is not Ellipsis])
        if given > self.ndim:
            raise IndexError('too many indices for array: array is %d-dimensional, but %d were indexed' % (self.ndim, given))
        full = []
        for k in index:
            if k is Ellipsis:
                full.extend([slice(None)] * (self.ndim - given))
            else:
                full.append(k)
        rest = self.ndim - len([k for k in full if k is not None])
        full.extend([slice(None)] * rest)
        steps = _steps(self.shape)
        offset, out_steps, counts, shape, axis = 0, [], [], [], 0
        for k in full:
            if k is None:
                shape.append(1)
                continue
            n, step = self.shape[axis], steps[axis]
            if isinstance(k, slice):
                r = range(n)[k]
                offset += step * (r.start if len(r) else 0)
                out_steps.append(step * r.step)
                counts.append(len(r))
                shape.append(len(r))
            else:
                i = int(k)
                if not -n <= i < n:
                    raise IndexError('index %d is out of bounds for axis %d with size %d' % (i, axis, n))
                offset += step * (i % n)
            axis += 1
        return out_steps, counts, offset, tuple(shape)
    def __getitem__(self, index):
        if isinstance(index, int) and len(self.shape) == 1:
            n = self.shape[0]
            if not -n <= index < n:
                raise IndexError('index %d is out of bounds for axis 0 with size %d' % (index, n))
            return _nd.get(self._b, index % n)
        if isinstance(index, list):
            index = array(index)
        if isinstance(index, ndarray):
            return self._fancy(index)
        if isinstance(index, tuple) and _any([isinstance(k, (list, ndarray)) for k in index]):
            return self._fancy_many(index)
        steps, counts, offset, shape = self._plan(index)
        b = _nd.gather(self._b, steps, counts, offset)
        if shape == () and not (isinstance(index, tuple) and Ellipsis in [k for k in index if not isinstance(k, slice)]):
            return _nd.get(b, 0)
        return ndarray(b, shape, self.dtype)
    def _places(self, index):
        if index.dtype is bool_:
            if index.shape != self.shape[:index.ndim]:
                raise IndexError('boolean index did not match indexed array along dimension 0; dimension is %d but corresponding boolean dimension is %d' % (self.shape[0], index.shape[0]))
            return _nd.nonzero(index._b), (index.size and int(_reduce('sum', index)),), index.ndim
        n = self.shape[0]
        places = _nd.list(index._b)
        for i in places:
            if not -n <= i < n:
                raise IndexError('index %d is out of bounds for axis 0 with size %d' % (i, n))
        return [i % n for i in places], index.shape, 1
    def _fancy(self, index):
        places, shape, used = self._places(index)
        rest = self.shape[used:]
        return ndarray(_nd.take(self._b, places, _prod(rest)), shape + rest, self.dtype)
    def _fancy_many(self, index):
        lists = [array(k) if isinstance(k, list) else k for k in index]
        if _all([isinstance(k, ndarray) for k in lists]) and len(lists) == self.ndim:
            steps = _steps(self.shape)
            places = [_sum([s * (i % n) for s, i, n in zip(steps, at, self.shape)]) for at in zip(*[_nd.list(k._b) for k in lists])]
            return ndarray(_nd.take(self._b, places, 1), lists[0].shape, self.dtype)
        where = [i for i, k in enumerate(lists) if isinstance(k, ndarray)]
        if len(where) == 1:
            axis = where[0]
            plain = tuple([slice(None) if i == axis else k for i, k in enumerate(lists)])
            if _all([isinstance(k, slice) for k in plain]):
                moved = self[plain].swapaxes(0, axis)[lists[axis]]
                return moved.swapaxes(0, axis)
        raise NotImplementedError('sandbatch does not simulate this index of a numpy array')
    def __setitem__(self, index, value):
        if isinstance(index, int) and len(self.shape) == 1 and isinstance(value, (int, float)):
            n = self.shape[0]
            if not -n <= index < n:
                raise IndexError('index %d is out of bounds for axis 0 with size %d' % (index, n))
            _nd.set(self._b, index % n, value)
            return
        if isinstance(index, list):
            index = array(index)
        v = asarray(value)
        if isinstance(index, ndarray):
            places, shape, used = self._places(index)
            inner = _prod(self.shape[used:])
            flat = _nd.list(v._b)
            for j, place in enumerate(places):
                for i in range(inner):
                    _nd.set(self._b, place * inner + i, flat[(j * inner + i) % len(flat)])
            return
        steps, counts, offset, shape = self._plan(index)
        if v.shape != shape and v.size > 1:
            if _broadcast(v.shape, shape) != shape:
                raise ValueError('could not broadcast input array from shape %s into shape %s' % (v.shape, shape))
            v = v + zeros(shape, v.dtype)
        _nd.scatter(self._b, steps, counts, offset, v._b)
    def _into(self, r):
        if r is NotImplemented:
            return r
        if r.dtype._kind > self.dtype._kind:
            raise TypeError("Cannot cast ufunc output from dtype('%s') to dtype('%s') with casting rule 'same_kind'" % (r.dtype, self.dtype))
        _nd.replace(self._b, r._b)
        return self
    def __add__(self, o): return _op('add', self, o)
    def __radd__(self, o): return _op('add', o, self)
    def __iadd__(self, o): return self._into(_op('add', self, o))
    def __sub__(self, o): return _op('sub', self, o)
    def __rsub__(self, o): return _op('sub', o, self)
    def __isub__(self, o): return self._into(_op('sub', self, o))
    def __mul__(self, o): return _op('mul', self, o)
    def __rmul__(self, o): return _op('mul', o, self)
    def __imul__(self, o): return self._into(_op('mul', self, o))
    def __truediv__(self, o): return _op('div', self, o)
    def __rtruediv__(self, o): return _op('div', o, self)
    def __itruediv__(self, o): return self._into(_op('div', self, o))
    def __floordiv__(self, o): return _op('floor', self, o)
    def __rfloordiv__(self, o): return _op('floor', o, self)
    def __mod__(self, o): return _op('mod', self, o)
    def __rmod__(self, o): return _op('mod', o, self)
    def __pow__(self, o): return _op('pow', self, o)
    def __rpow__(self, o): return _op('pow', o, self)
    def __and__(self, o): return _op('and', self, o)
    def __rand__(self, o): return _op('and', o, self)
    def __or__(self, o): return _op('or', self, o)
    def __ror__(self, o): return _op('or', o, self)
    def __xor__(self, o): return _op('xor', self, o)
    def __lshift__(self, o): return _op('shl', self, o)
    def __rshift__(self, o): return _op('shr', self, o)
    def __eq__(self, o): return _op('eq', self, o, bool_)
    def __ne__(self, o): return _op('ne', self, o, bool_)
    def __lt__(self, o): return _op('lt', self, o, bool_)
    def __le__(self, o): return _op('le', self, o, bool_)
    def __gt__(self, o): return _op('gt', self, o, bool_)
    def __ge__(self, o): return _op('ge', self, o, bool_)
    __hash__ = None
    def __matmul__(self, o): return matmul(self, o)
    def __rmatmul__(self, o): return matmul(asarray(o), self)
    def __neg__(self): return _unary('neg', self, True)
    def __pos__(self): return self.copy()
    def __abs__(self): return _unary('abs', self, True)
    def __invert__(self):
        return _unary('not', self) if self.dtype is bool_ else -self - 1
    def __str__(self):
        return _text(self, ' ', '', '')
    def __repr__(self):
        if self.dtype in _KINDS:
            return 'array(' + _text(self, ', ', 'array(', ')') + ')'
        end = ', dtype=' + self.dtype.name + ')'
        return 'array(' + _text(self, ', ', 'array(', '') + end
    def __format__(self, spec):
        if self.shape == ():
            return format(self.item(), spec)
        if spec:
            raise TypeError('unsupported format string passed to numpy.ndarray.__format__')
        return str(self)
    def __getattr__(self, name):
        if name not in _OTHERS:
            raise AttributeError("'numpy.ndarray' object has no attribute '" + name + "'")
        raise NotImplementedError('sandbatch does not simulate numpy.ndarray.' + name)
_OTHERS = 'argpartition base byteswap choose compress conj conjugate ctypes data diagonal dump dumps flags getfield imag itemset newbyteorder partition put real resize searchsorted setfield setflags strides take tobytes tostring trace view'.split()
def _steps(shape):
    out, step = [], 1
    for n in reversed(shape):
        out.insert(0, step)
        step *= n
    return out
_options = {'precision': 8, 'suppress': False, 'threshold': 1000, 'edgeitems': 3, 'linewidth': 75}
def set_printoptions(**kwargs):
    for k, v in kwargs.items():
        if k in _options and v is not None:
            _options[k] = v
def _positional(x, short):
    s = short(x)
    p = _options['precision']
    if 'e' in s or len(s.partition('.')[2]) > p:
        s = '%.*f' % (p, x)
        s = s.rstrip('0')
    a, _, b = s.partition('.')
    return a, '' if b == '0' else b
def _scientific(x, short):
    s = short(x)
    p = _options['precision']
    for k in range(p + 1):
        t = '%.*e' % (k, x)
        if float(t) == x:
            break
    mantissa, _, exponent = t.partition('e')
    a, _, b = mantissa.partition('.')
    return a, b, exponent
def _words(a, values):
    if a.dtype is bool_:
        w = _max([len(str(v)) for v in values] or [0])
        return lambda v: str(v).rjust(w)
    if a.dtype._kind == 1:
        w = _max([len(str(v)) for v in values] or [0])
        return lambda v: str(v).rjust(w)
    short = _nd.short32 if a.dtype is float32 else repr
    finite = [v for v in values if v - v == 0]
    odd = [v for v in values if v - v != 0]
    sizes = [_abs(v) for v in finite if v]
    big, small = _max(sizes or [0]), _min(sizes or [0])
    if sizes and (big >= 1e8 or not _options['suppress'] and (small < 0.0001 or big / small > 1000.0)):
        parts = [_scientific(v, short) for v in finite]
        digits = _max([len(p[1]) for p in parts])
        left = _max([len(p[0]) for p in parts])
        def f(v):
            if v - v != 0:
                return str(v).rjust(left + digits + 5)
            t = '%.*e' % (digits, v)
            if not digits:
                t = t.replace('e', '.e')
            return t.rjust(left + 1 + digits + 4)
        return f
    parts = [_positional(v, short) for v in finite]
    left, right = _max([len(p[0]) for p in parts] or [1]), _max([len(p[1]) for p in parts] or [0])
    if odd:
        left = _max(left, _max([len(str(v)) for v in odd]) - right - 1)
    def g(v):
        if v - v != 0:
            return str(v).rjust(left + right + 1)
        p, q = _positional(v, short)
        return p.rjust(left) + '.' + q.ljust(right)
    return g
def _text(a, sep, prefix, suffix):
    if a.size == 0:
        return '[]'
    if a.shape == ():
        return str(a.item())
    edge = _options['edgeitems']
    brief = a.size > _options['threshold']
    if brief:
        def shown(n):
            return list(range(n)) if n <= 2 * edge else list(range(edge)) + list(range(n - edge, n))
        places = [0]
        for n, step in zip(a.shape, _steps(a.shape)):
            places = [p + step * i for p in places for i in shown(n)]
        values = [_nd.get(a._b, p) for p in places]
    else:
        values = _nd.list(a._b)
    word = _words(a, values)
    steps = _steps(a.shape)
    def extend(s, line, w, width, indent):
        if len(line) + len(w) > width and len(line) > len(indent):
            s += line.rstrip() + '\n'
            line = indent
        return s, line + w
    def walk(axis, offset, indent, width):
        n, left = a.shape[axis], len(a.shape) - axis
        if brief and n > 2 * edge:
            items = list(range(edge)) + [None] + list(range(n - edge, n))
        else:
            items = list(range(n))
        s = ''
        if left == 1:
            most = width - _max(len(sep.rstrip()), 1)
            line = indent
            for j, i in enumerate(items):
                s, line = extend(s, line, '...' if i is None else word(_nd.get(a._b, offset + i)), most, indent)
                if j < len(items) - 1:
                    line += sep
            s += line
        else:
            between = sep.rstrip() + '\n' * (left - 1)
            for j, i in enumerate(items):
                s += indent + ('...' if i is None else walk(axis + 1, offset + i * steps[axis], indent + ' ', width - 1))
                if j < len(items) - 1:
                    s += between
        return '[' + s[len(indent):] + ']'
    return walk(0, 0, ' ' + ' ' * len(prefix), _options['linewidth'] - len(suffix))
def _make_unary(name, op, keep=False):
    def f(a, out=None, **kwargs):
        return _unary(op, a, keep)
    f.__name__ = name
    return f
sqrt, exp, log, log2, log10, log1p, expm1 = [_make_unary(n, n) for n in 'sqrt exp log log2 log10 log1p expm1'.split()]
sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, tanh = [_make_unary(n, n) for n in 'sin cos tan arcsin arccos arctan sinh cosh tanh'.split()]
floor, ceil, trunc, rint = [_make_unary(n, n) for n in 'floor ceil trunc rint'.split()]

absolute = abs = fabs = _make_unary('absolute', 'abs', True)
square, sign, negative = _make_unary('square', 'square', True), _make_unary('sign', 'sign', True), _make_unary('negative', 'neg', True)
isnan, isinf, isfinite, logical_not = [_make_unary(n, n) for n in 'isnan isinf isfinite not'.split()]
def _make_binary(op, d=None):
    def f(a, b, out=None, **kwargs):
        return _op(op, asarray(a) if not isinstance(a, (int, float)) else a, b, d)
    return f
add, subtract, multiply, divide, true_divide, power, mod, floor_divide, maximum, minimum, arctan2 = [_make_binary(n) for n in 'add sub mul div div pow mod floor max min arctan2'.split()]
remainder, fmax, fmin = mod, maximum, minimum
equal, not_equal, less, less_equal, greater, greater_equal = [_make_binary(n, bool_) for n in 'eq ne lt le gt ge'.split()]
def logical_and(a, b):
    return _op('and', asarray(a).astype(bool_), asarray(b).astype(bool_), bool_)
def logical_or(a, b):
    return _op('or', asarray(a).astype(bool_), asarray(b).astype(bool_), bool_)
def _make_reduction(name):
    def f(a, axis=None, **kwargs):
        return getattr(asarray(a), name)(axis, **kwargs)
    f.__name__ = name
    return f

sum, prod, max, min, any, all, mean, var, std, argmax, argmin, ptp = [_make_reduction(n) for n in 'sum prod max min any all mean var std argmax argmin ptp'.split()]
amax, amin, average = max, min, mean
nansum = lambda a, axis=None: where(isnan(a), 0.0, a).sum(axis)
def nanmean(a, axis=None):
    good = ~isnan(a)
    return where(good, a, 0.0).sum(axis) / good.sum(axis)
def round(a, decimals=0):
    if isinstance(a, (int, float)):
        return _round(a, decimals)
    a = asarray(a)
    if a.dtype._kind < 2:
        return a.copy()
    scale = 10.0 ** decimals
    return rint(a * scale) / scale
around = round_ = round
def clip(a, low, high):
    if low is not None:
        a = maximum(a, low)
    if high is not None:
        a = minimum(a, high)
    return a
def cumsum(a, axis=None, _op_name='sum'):
    a = asarray(a)
    if axis is None:
        a = a.ravel()
        axis = 0
    axis = axis % a.ndim
    if axis != a.ndim - 1:
        return cumsum(a.swapaxes(axis, a.ndim - 1), a.ndim - 1, _op_name).swapaxes(axis, a.ndim - 1)
    return _make(_nd.cumulate(_op_name, a._b, a.shape[-1]), a.shape, a.dtype if a.dtype._kind else int64)
def cumprod(a, axis=None):
    return cumsum(a, axis, 'prod')
def diff(a, n=1):
    a = asarray(a)
    for _ in range(n):
        a = a[..., 1:] - a[..., :-1]
    return a
def dot(a, b):
    if isinstance(a, (int, float)) or isinstance(b, (int, float)):
        return a * b
    return matmul(asarray(a), asarray(b))
def vdot(a, b):
    return (asarray(a).ravel() * asarray(b).ravel()).sum()
inner = dot
def outer(a, b):
    return asarray(a).reshape(-1, 1) * asarray(b).reshape(1, -1)
def matmul(a, b):
    a, b = asarray(a), asarray(b)
    if a.ndim > 2 or b.ndim > 2:
        if a.ndim == 3 and b.ndim in (2, 3):
            return stack([matmul(a[i], b if b.ndim == 2 else b[i]) for i in range(a.shape[0])])
        raise NotImplementedError('sandbatch does not simulate numpy.matmul of these dimensions')
    x, y = a.reshape(1, -1) if a.ndim == 1 else a, b.reshape(-1, 1) if b.ndim == 1 else b
    if x.shape[1] != y.shape[0]:
        if a.ndim == 1 and b.ndim == 1:
            raise ValueError('shapes (%d,) and (%d,) not aligned: %d (dim 0) != %d (dim 0)' % (a.size, b.size, a.size, b.size))
        raise ValueError('matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size %d is different from %d)' % (y.shape[0], x.shape[1]))
    r = _make(_nd.matmul(x._b, y._b, x.shape[0], x.shape[1], y.shape[1]), (x.shape[0], y.shape[1]), _result(a, b, None))
    if a.ndim == 1 and b.ndim == 1:
        return r.item()
    return r.reshape(-1) if a.ndim == 1 or b.ndim == 1 else r
def where(condition, a=None, b=None):
    c = asarray(condition)
    if a is None:
        return nonzero(c)
    c = c.astype(int64)
    x, y = asarray(a), asarray(b)
    d = _result(x, y, a if isinstance(a, (int, float)) else b if isinstance(b, (int, float)) else None)
    shape = _broadcast(_broadcast(c.shape, x.shape), y.shape)
    if x.size <= 1048576 and c.size <= 1048576:
        z = zeros(shape, d)
        cc, xx, yy = c + zeros(shape, int64), x + zeros(shape, x.dtype), y + zeros(shape, y.dtype)
        if shape == ():
            return xx if cc else yy
        r = [p if k else q for k, p, q in zip(_nd.list(cc._b), _nd.list(xx._b), _nd.list(yy._b))]
        return _make(_nd.new(r, d._kind), shape, d)
    return x * c + y * (1 - c)
def nonzero(a):
    a = asarray(a)
    places = _nd.nonzero(a._b)
    out = []
    for n, step in zip(a.shape, _steps(a.shape)):
        out.append(array([p // step % n for p in places], int64))
    return tuple(out)
def count_nonzero(a):
    return int((asarray(a) != 0).sum())
flatnonzero = lambda a: nonzero(asarray(a).ravel())[0]
def argwhere(a):
    return stack(list(nonzero(a)), 1)
def concatenate(parts, axis=0):
    parts = [asarray(p) for p in parts]
    if axis is None:
        parts, axis = [p.ravel() for p in parts], 0
    axis = axis % parts[0].ndim
    d = parts[0].dtype
    for p in parts[1:]:
        if p.ndim != parts[0].ndim:
            raise ValueError('all the input array dimensions except for the concatenation axis must match exactly')
        d = _result(parts[0].astype(d), p, None)
    if axis:
        return concatenate([p.swapaxes(0, axis) for p in parts]).swapaxes(0, axis)
    n = 0
    for p in parts:
        n += p.shape[0]
    return _make(_nd.join([p.astype(d)._b for p in parts]), (n,) + parts[0].shape[1:], d)
def stack(parts, axis=0):
    parts = [asarray(p) for p in parts]
    axis = axis % (parts[0].ndim + 1)
    return concatenate([p.reshape(p.shape[:axis] + (1,) + p.shape[axis:]) for p in parts], axis)
def vstack(parts):
    return concatenate([p if p.ndim > 1 else p.reshape(1, -1) for p in [asarray(q) for q in parts]])
def hstack(parts):
    parts = [asarray(p) for p in parts]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1)
def column_stack(parts):
    return concatenate([p.reshape(-1, 1) if p.ndim == 1 else p for p in [asarray(q) for q in parts]], 1)
def append(a, b, axis=None):
    return concatenate([asarray(a).ravel(), asarray(b).ravel()] if axis is None else [a, b], axis or 0)
def array_split(a, n, axis=0):
    a = asarray(a)
    if not isinstance(n, int):
        cuts = [0] + list(n) + [a.shape[axis]]
    else:
        k, extra = divmod(a.shape[axis], n)
        cuts = [0]
        for i in range(n):
            cuts.append(cuts[-1] + k + (1 if i < extra else 0))
    lead = (slice(None),) * axis
    return [a[lead + (slice(p, q),)] for p, q in zip(cuts, cuts[1:])]
def split(a, n, axis=0):
    if isinstance(n, int) and asarray(a).shape[axis] % n:
        raise ValueError('array split does not result in an equal division')
    return array_split(a, n, axis)
def reshape(a, shape):
    return asarray(a).reshape(shape)
def ravel(a):
    return asarray(a).ravel()
def transpose(a, axes=None):
    return asarray(a).transpose(*(axes or ()))
def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)
def expand_dims(a, axis):
    a = asarray(a)
    axis = axis % (a.ndim + 1)
    return a.reshape(a.shape[:axis] + (1,) + a.shape[axis:])
def shape(a):
    return asarray(a).shape
def size(a):
    return asarray(a).size
def ndim(a):
    return asarray(a).ndim
def copy(a):
    return array(a)
def sort(a, axis=-1):
    a = asarray(a)
    return _make(_nd.sort(a._b, a.shape[-1]), a.shape, a.dtype)
def argsort(a, axis=-1):
    a = asarray(a)
    return _make(_nd.argsort(a._b, a.shape[-1]), a.shape, int64)
def unique(a, return_counts=False):
    a = asarray(a)
    values, counts = [], []
    for x in _nd.list(_nd.sort(a._b, a.size)):
        if values and values[-1] == x:
            counts[-1] += 1
        else:
            values.append(x)
            counts.append(1)
    r = array(values, a.dtype)
    return (r, array(counts, int64)) if return_counts else r
def isin(a, values):
    a, known = asarray(a), set(_nd.list(asarray(values)._b))
    return _make(_nd.new([x in known for x in _nd.list(a._b)], 0), a.shape, bool_)
in1d = isin
def bincount(a, minlength=0):
    values = _nd.list(asarray(a)._b)
    out = [0] * _max([minlength] + [v + 1 for v in values])
    for v in values:
        out[v] += 1
    return array(out, int64)
def flip(a, axis=None):
    a = asarray(a)
    return a[tuple([slice(None, None, -1) if axis is None or i == axis % a.ndim else slice(None) for i in range(a.ndim)])]
def roll(a, n):
    a = asarray(a)
    flat = a.ravel()
    n = n % flat.size
    return concatenate([flat[flat.size - n:], flat[:flat.size - n]]).reshape(a.shape)
def repeat(a, n, axis=None):
    a = asarray(a).ravel()
    return array([x for x in _nd.list(a._b) for _ in range(n)], a.dtype)
def tile(a, n):
    a = asarray(a)
    if isinstance(n, int):
        return concatenate([a] * n, a.ndim - 1)
    for axis, k in enumerate(reversed(n)):
        if a.ndim <= axis:
            a = a.reshape((1,) + a.shape)
        a = concatenate([a] * k, a.ndim - 1 - axis)
    return a
def meshgrid(x, y, indexing='xy'):
    x, y = asarray(x), asarray(y)
    if indexing == 'ij':
        return [x.reshape(-1, 1) + zeros((x.size, y.size), x.dtype), y.reshape(1, -1) + zeros((x.size, y.size), y.dtype)]
    return [x.reshape(1, -1) + zeros((y.size, x.size), x.dtype), y.reshape(-1, 1) + zeros((y.size, x.size), y.dtype)]
def quantile(a, q, axis=None):
    if axis is not None:
        raise NotImplementedError('sandbatch does not simulate numpy.quantile along an axis')
    a = asarray(a)
    v = _make(_nd.sort(a._b, a.size), (a.size,), a.dtype)
    def one(p):
        at = p * (a.size - 1)
        i = int(at)
        low, high = v[i], v[_min(i + 1, a.size - 1)]
        t = at - i
        return float(high - (high - low) * (1 - t)) if t >= 0.5 else float(low + (high - low) * t)
    return one(q) if isinstance(q, (int, float)) else array([one(p) for p in q])
def percentile(a, q, axis=None):
    return quantile(a, q / 100 if isinstance(q, (int, float)) else [p / 100 for p in q], axis)
def median(a, axis=None):
    a = asarray(a)
    if axis is not None:
        return array([median(r) for r in (a.swapaxes(0, axis) if axis == 1 and a.ndim == 2 else a.T if a.ndim == 2 else a)]) if a.ndim == 2 and axis == 0 else array([median(r) for r in a])
    v = _nd.sort(a._b, a.size)
    n = a.size
    return float(_nd.get(v, n // 2)) if n % 2 else (_nd.get(v, n // 2 - 1) + _nd.get(v, n // 2)) / 2
def histogram(a, bins=10, range=None):
    values = _nd.list(asarray(a)._b)
    low, high = range or (_min(values), _max(values))
    if low == high:
        low, high = low - 0.5, high + 0.5
    counts = [0] * bins
    for v in values:
        if low <= v <= high:
            counts[_min(bins - 1, int((v - low) / (high - low) * bins))] += 1
    return array(counts, int64), linspace(low, high, bins + 1)
def corrcoef(x, y):
    x, y = asarray(x), asarray(y)
    r = ((x - x.mean()) * (y - y.mean())).sum() / _m.sqrt(((x - x.mean()) ** 2).sum() * ((y - y.mean()) ** 2).sum())
    return array([[1.0, r], [r, 1.0]])
def polyfit(x, y, deg):
    x, y = asarray(x), asarray(y)
    a = stack([x ** (deg - k) for k in range_(deg + 1)], 1).astype(float64)
    import numpy.linalg as _linalg
    return _linalg.solve(a.T @ a, a.T @ y)
range_ = range
def polyval(p, x):
    r = 0
    for c in asarray(p):
        r = r * x + c
    return r
def trapz(y, x=None, dx=1.0):
    y = asarray(y)
    d = dx if x is None else diff(asarray(x))
    return ((y[1:] + y[:-1]) / 2 * d).sum()
def interp(x, xp, fp):
    def one(v):
        if v <= xp[0]:
            return float(fp[0])
        for i in range_(1, len(xp)):
            if v <= xp[i]:
                return float(fp[i - 1] + (fp[i] - fp[i - 1]) * (v - xp[i - 1]) / (xp[i] - xp[i - 1]))
        return float(fp[-1])
    return one(x) if isinstance(x, (int, float)) else array([one(v) for v in x])
def isclose(a, b, rtol=1e-05, atol=1e-08):
    return abs(asarray(a) - b) <= abs(asarray(b)) * rtol + atol
def allclose(a, b, rtol=1e-05, atol=1e-08):
    return bool(asarray(isclose(a, b, rtol, atol)).all())
def array_equal(a, b):
    a, b = asarray(a), asarray(b)
    return a.shape == b.shape and bool((a == b).all()) if a.size else a.shape == b.shape
def trace(a):
    return _sum([a[i, i] for i in range_(_min(a.shape))])
def triu(a, k=0):
    return array([[x if j - i >= k else 0 for j, x in enumerate(r)] for i, r in enumerate(asarray(a).tolist())])
def tril(a, k=0):
    return array([[x if j - i <= k else 0 for j, x in enumerate(r)] for i, r in enumerate(asarray(a).tolist())])
def vectorize(f):
    return lambda a, *more: array([f(x, *more) for x in asarray(a).ravel()]).reshape(asarray(a).shape)
def isscalar(x):
    return isinstance(x, (int, float, str))
def save(name, a):
    import json
    a = asarray(a)
    name = str(name) if hasattr(name, '__fspath__') else name
    if not name.endswith('.npy'):
        name += '.npy'
    with open(name, 'w') as f:
        f.write('\x93NUMPY sandbatch ' + json.dumps({'dtype': a.dtype.name, 'shape': a.shape, 'data': _nd.list(a._b)}))
def load(name, allow_pickle=False, mmap_mode=None):
    import json
    with open(name) as f:
        text = f.read()
    if not text.startswith('\x93NUMPY sandbatch '):
        raise ValueError('Cannot load file containing pickled data when allow_pickle=False')
    v = json.loads(text[17:])
    if 'arrays' in v:
        return {k: array(d['data'], d['dtype']).reshape(tuple(d['shape'])) for k, d in v['arrays'].items()}
    return array(v['data'], v['dtype']).reshape(tuple(v['shape']))
def savez(name, *args, **arrays):
    import json
    for i, a in enumerate(args):
        arrays['arr_%d' % i] = a
    name = str(name)
    if not name.endswith('.npz'):
        name += '.npz'
    out = {}
    for k, a in arrays.items():
        a = asarray(a)
        out[k] = {'dtype': a.dtype.name, 'shape': a.shape, 'data': _nd.list(a._b)}
    with open(name, 'w') as f:
        f.write('\x93NUMPY sandbatch ' + json.dumps({'arrays': out}))
savez_compressed = savez
def savetxt(name, a, fmt='%.18e', delimiter=' ', header='', comments='# '):
    a = asarray(a)
    with open(name, 'w') as f:
        if header:
            f.write(comments + header + '\n')
        for row in a:
            f.write(delimiter.join([fmt % x for x in (row if isinstance(row, ndarray) else [row])]) + '\n')
def loadtxt(name, dtype=float, delimiter=None, skiprows=0, usecols=None, comments='#'):
    rows = []
    lines = open(name).readlines() if isinstance(name, str) or hasattr(name, '__fspath__') else list(name)
    for line in lines[skiprows:]:
        line = line.split(comments)[0].strip()
        if line:
            words = line.split(delimiter)
            if usecols is not None:
                words = [words[k] for k in ([usecols] if isinstance(usecols, int) else usecols)]
            rows.append([float(w) for w in words])
    a = array(rows, dtype)
    return a.squeeze()
def genfromtxt(name, delimiter=None, skip_header=0, dtype=float, **kwargs):
    return loadtxt(name, dtype, delimiter, skip_header)
def errstate(**kwargs):
    import contextlib
    return contextlib.nullcontext()
def seterr(**kwargs):
    return {}
def get_printoptions():
    return dict(_options)
def finfo(d):
    class info:
        eps, max, min, tiny = 2.220446049250313e-16, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308
    return info
def iinfo(d):
    bits = _dtype(d).itemsize * 8
    class info:
        max, min = 2 ** (bits - 1) - 1, -2 ** (bits - 1)
    return info
import numpy.random as random
import numpy.linalg as linalg
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'numpy' has no attribute '" + name + "'")
    raise NotImplementedError('sandbatch does not simulate numpy.' + name)
