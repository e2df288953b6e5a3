import _host, _nd
import math as _m
import numpy as _np
_host.model()
# Wheels of pip are built for CUDA 12.1. In conda, the package pytorch-cuda decides, and the version has no suffix.
__version__ = _host.version('torch')
_cuda = '12.1'
if _host.conda('pytorch') == __version__:
    _cuda = _host.conda('pytorch-cuda') or '11.8'
else:
    __version__ += '+cu121'
class _Count:
    steps = 0
    device = {}
    limit = {}
    grad = True
_FLOPS_CPU, _FLOPS_GPU = 2e10, 1e13
class dtype:
    def __init__(self, name, np):
        self.name, self._np = name, np
    def __repr__(self):
        return 'torch.' + self.name
    @property
    def itemsize(self):
        return self._np.itemsize
float32, float64, float16, bfloat16 = dtype('float32', _np.float32), dtype('float64', _np.float64), dtype('float16', _np.float16), dtype('bfloat16', _np.float16)
int64, int32, int16, int8, uint8, bool_ = dtype('int64', _np.int64), dtype('int32', _np.int32), dtype('int16', _np.int16), dtype('int8', _np.int8), dtype('uint8', _np.uint8), dtype('bool', _np.bool_)
float, double, half, long, int_ = float32, float64, float16, int64, int32
_float, _int, _bool = type(0.0), type(0), type(True)
_OF = {d._np.name: d for d in (float32, float64, float16, int64, int32, int16, int8, uint8, bool_)}
class device:
    def __init__(self, name, index=None):
        if isinstance(name, device):
            name = str(name)
        if isinstance(name, _int):
            name = 'cuda:%d' % name
        self.type, _, n = name.partition(':')
        if self.type not in ('cpu', 'cuda', 'mps', 'meta'):
            raise RuntimeError('Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ort, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: ' + self.type)
        self.index = _int(n) if n else index
    def __str__(self):
        return self.type + ('' if self.index is None else ':%d' % self.index)
    def __repr__(self):
        return 'device(type=%r' % self.type + (')' if self.index is None else ', index=%d)' % self.index)
    def __eq__(self, o):
        return isinstance(o, device) and str(self) == str(o)
    def __hash__(self):
        return hash(str(self))
def _device(d):
    if d is None:
        return device('cpu')
    d = device(d)
    if d.type == 'cuda':
        n = len(_host.gpus())
        if n == 0:
            raise RuntimeError('No CUDA GPUs are available')
        if d.index is None:
            d.index = cuda._current
        if d.index >= n:
            raise RuntimeError('CUDA error: invalid device ordinal\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n')
    return d
def _allocate(d, size):
    # Memory on a GPU is what a process put there, and what CUDA itself takes.
    if d.type != 'cuda':
        return
    used = _Count.device.get(d.index, 320 * 1048576) + size
    if used > _Count.limit.get(d.index, 1073741824):
        # What the program can no longer reach was freed.
        used = 320 * 1048576 + size
        for t in _host.tensors():
            if t.device.type == 'cuda' and t.device.index == d.index:
                used += t._a.nbytes * (4 if type(t).__name__ == 'Parameter' else 1)
        _Count.limit[d.index] = _pymax(1073741824, 2 * used)
    free = _host.gpu_memory(d.index, _int(used // 1048576))
    if free < 0:
        total = _host.gpus()[d.index][1]
        raise cuda.OutOfMemoryError('CUDA out of memory. Tried to allocate %s. GPU %d has a total capacity of %.2f GiB of which %.2f GiB is free.' % (_amount(size), d.index, total / 1024, max(0, free + size / 1048576) / 1024))
    _Count.device[d.index] = used
def _amount(n):
    return '%.2f GiB' % (n / 1073741824) if n >= 1073741824 else '%.2f MiB' % (n / 1048576)
def _spend(d, flops):
    if d.type == 'cuda':
        _host.gpu_work(_int(flops / _FLOPS_GPU * 1e6) + 30)
    else:
        _host.work(_int(flops / _FLOPS_CPU * 1e6), True)
class Size(tuple):
    def __repr__(self):
        return 'torch.Size(' + str(list(self)) + ')'
    def numel(self):
        n = 1
        for k in self:
            n *= k
        return n
class Tensor:
    def __init__(self, a=(), device=None, requires_grad=False, skill=None):
        self._a = a if isinstance(a, _np.ndarray) else _np.array(a, _np.float32)
        if device is not None and device.type == 'cuda':
            _nd.on_device(self._a._b)
        self.device = device if device is not None else globals()['device']('cpu')
        self.requires_grad, self._skill, self.grad, self._loss = requires_grad, skill, None, None
    def _with(self, a, **k):
        if not isinstance(a, _np.ndarray):
            a = _np.array(a, self._a.dtype if isinstance(a, _float) and self._a.dtype._kind == 2 else None)
        return Tensor(a, self.device, **k)
    @property
    def shape(self):
        return Size(self._a.shape)
    def size(self, k=None):
        return Size(self._a.shape) if k is None else self._a.shape[k]
    @property
    def dtype(self):
        return _OF[self._a.dtype.name]
    @property
    def ndim(self):
        return self._a.ndim
    dim = lambda self: self._a.ndim
    def numel(self):
        return self._a.size
    nelement = numel
    def element_size(self):
        return self._a.itemsize
    @property
    def is_cuda(self):
        return self.device.type == 'cuda'
    @property
    def T(self):
        return self._with(self._a.T)
    @property
    def data(self):
        return self
    def item(self):
        return self._a.item()
    def tolist(self):
        return self._a.tolist()
    def numpy(self):
        if self.device.type == 'cuda':
            raise TypeError("can't convert " + str(self.device) + " device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
        return self._a
    def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False):
        t = self
        for x in args:
            if isinstance(x, Tensor):
                device = x.device
            elif type(x).__name__ == 'dtype':
                dtype = x
            elif not isinstance(x, _bool):
                device = x
        if dtype is not None:
            t = Tensor(t._a.astype(dtype._np), t.device, t.requires_grad, t._skill)
        if device is not None:
            d = _device(device)
            if d != t.device:
                _allocate(d, t._a.nbytes)
                t = Tensor(t._a.copy(), d, t.requires_grad, t._skill)
        return t
    def cuda(self, device=None, non_blocking=False):
        return self.to('cuda' if device is None else device)
    def cpu(self):
        return self.to('cpu')
    def float(self): return self.to(dtype=float32)
    def double(self): return self.to(dtype=float64)
    def half(self): return self.to(dtype=float16)
    def long(self): return self.to(dtype=int64)
    def int(self): return self.to(dtype=int32)
    def bool(self): return self.to(dtype=bool_)
    def type(self, d): return self.to(dtype=d)
    def detach(self): return Tensor(self._a, self.device, False, self._skill)
    def clone(self): return Tensor(self._a.copy(), self.device, self.requires_grad, self._skill)
    def contiguous(self): return self
    def requires_grad_(self, on=True):
        self.requires_grad = on
        return self
    def zero_(self):
        self._a.fill(0)
        return self
    def fill_(self, x):
        self._a.fill(x)
        return self
    def backward(self, *args, **kwargs):
        if self._loss is not None:
            _spend(self.device, 2 * self._loss)
        elif not self.requires_grad:
            raise RuntimeError('element 0 of tensors does not require grad and does not have a grad_fn')
    def pin_memory(self): return self
    def view(self, *shape): return self._with(self._a.reshape(*shape), skill=self._skill)
    reshape = view
    def flatten(self, start=0, end=-1):
        return self._with(self._a.reshape(self._a.shape[:start] + (-1,)))
    def squeeze(self, k=None): return self._with(self._a.squeeze(k), skill=self._skill)
    def unsqueeze(self, k): return self._with(_np.expand_dims(self._a, k))
    def permute(self, *axes): return self._with(self._a.transpose(*axes))
    def transpose(self, a, b): return self._with(self._a.swapaxes(a, b))
    def t(self): return self.T
    def repeat(self, *n): return self._with(_np.tile(self._a, n))
    def expand(self, *shape): return self._with(self._a + _np.zeros(tuple([self._a.shape[i] if k == -1 else k for i, k in enumerate(shape)]), self._a.dtype))
    def sum(self, dim=None, keepdim=False): return self._with(self._a.sum(dim, keepdims=keepdim))
    def mean(self, dim=None, keepdim=False): return self._with(self._a.mean(dim, keepdims=keepdim))
    def std(self, dim=None): return self._with(self._a.std(dim, ddof=1))
    def var(self, dim=None): return self._with(self._a.var(dim, ddof=1))
    def prod(self): return self._with(self._a.prod())
    def all(self): return self._with(self._a.all())
    def any(self): return self._with(self._a.any())
    def max(self, dim=None, keepdim=False):
        return self._with(self._a.max()) if dim is None else _Pair(self._with(self._a.max(dim)), self.argmax(dim))
    def min(self, dim=None, keepdim=False):
        return self._with(self._a.min()) if dim is None else _Pair(self._with(self._a.min(dim)), self.argmin(dim))
    def argmax(self, dim=None, keepdim=False): return self._with(_np.array(self._a.argmax(dim)), skill=self._skill)
    def argmin(self, dim=None): return self._with(_np.array(self._a.argmin(dim)))
    def topk(self, k, dim=-1):
        order = self._a.argsort()[..., ::-1][..., :k]
        return _Pair(self._with(_np.sort(self._a)[..., ::-1][..., :k]), self._with(order, skill=self._skill))
    def eq(self, o): return self == o
    def abs(self): return self._with(abs(self._a))
    def sqrt(self): return self._with(_np.sqrt(self._a))
    def exp(self): return self._with(_np.exp(self._a))
    def log(self): return self._with(_np.log(self._a))
    def pow(self, n): return self ** n
    def round(self): return self._with(_np.rint(self._a))
    def clamp(self, min=None, max=None): return self._with(_np.clip(self._a, min, max))
    def norm(self): return self._with(_np.linalg.norm(self._a))
    def softmax(self, dim=-1): return softmax(self, dim)
    def matmul(self, o): return self @ o
    mm = matmul
    def dot(self, o): return self._with(self._a.dot(o._a))
    def add_(self, o):
        self._a += o._a if isinstance(o, Tensor) else o
        return self
    def _other(self, o):
        if isinstance(o, Tensor):
            if o.device != self.device and o._a.ndim and self._a.ndim:
                raise RuntimeError('Expected all tensors to be on the same device, but found at least two devices, %s and %s!' % (self.device, o.device))
            return o._a
        return o
    def _do(self, a):
        if a is NotImplemented:
            return a
        if isinstance(a, _np.ndarray):
            _spend(self.device, a.size)
        return self._with(a)
    def __add__(self, o): return self._do(self._a + self._other(o))
    __radd__ = __add__
    def __sub__(self, o): return self._do(self._a - self._other(o))
    def __rsub__(self, o): return self._do(self._other(o) - self._a)
    def __mul__(self, o): return self._do(self._a * self._other(o))
    __rmul__ = __mul__
    def __truediv__(self, o): return self._do(self._a / self._other(o))
    def __rtruediv__(self, o): return self._do(self._other(o) / self._a)
    def __pow__(self, o): return self._do(self._a ** self._other(o))
    def __mod__(self, o): return self._do(self._a % self._other(o))
    def __floordiv__(self, o): return self._do(self._a // self._other(o))
    def __neg__(self): return self._do(-self._a)
    def __iadd__(self, o): return self + o
    def __and__(self, o): return self._do(self._a & self._other(o))
    def __or__(self, o): return self._do(self._a | self._other(o))
    def __invert__(self): return self._do(~self._a)
    def __matmul__(self, o):
        b = self._other(o)
        if self._a.ndim == 2 and b.ndim == 2 and self._a.shape[1] != b.shape[0]:
            raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (%dx%d and %dx%d)' % (self._a.shape + b.shape))
        if self.device.type == 'cuda' and self._a.ndim == 2 and b.ndim == 2:
            r = _nd_product(self._a, b)
            _spend(self.device, 2 * self._a.shape[0] * self._a.shape[1] * b.shape[1])
            _allocate(self.device, r.nbytes)
            return self._with(r)
        return self._with(_np.matmul(self._a, b))
    def _compare(self, name, o):
        b = self._other(o)
        if name == '__eq__':
            skill = self._skill if self._skill is not None else o._skill if isinstance(o, Tensor) else None
            if skill is not None and isinstance(o, Tensor):
                return self._with(_np.array([_chance(skill) for _ in range(self._a.size)], _np.bool_).reshape(self._a.shape))
        r = getattr(self._a, name)(b)
        return self._with(_np.array(r))
    def __eq__(self, o): return self._compare('__eq__', o)
    def __ne__(self, o): return self._compare('__ne__', o)
    def __lt__(self, o): return self._compare('__lt__', o)
    def __le__(self, o): return self._compare('__le__', o)
    def __gt__(self, o): return self._compare('__gt__', o)
    def __ge__(self, o): return self._compare('__ge__', o)
    def __hash__(self): return id(self)
    def __len__(self): return len(self._a)
    def __iter__(self): return iter([self[i] for i in range(len(self._a))])
    def __getitem__(self, k):
        if isinstance(k, Tensor):
            k = k._a
        elif isinstance(k, tuple):
            k = tuple([x._a if isinstance(x, Tensor) else x for x in k])
        return self._with(_np.array(self._a[k], self._a.dtype), skill=self._skill)
    def __setitem__(self, k, v):
        self._a[k._a if isinstance(k, Tensor) else k] = v._a if isinstance(v, Tensor) else v
    def __float__(self): return _float(self._a.item())
    def __int__(self): return _int(self._a.item())
    def __index__(self): return _int(self._a.item())
    def __bool__(self):
        if self._a.size > 1:
            raise RuntimeError('Boolean value of Tensor with more than one value is ambiguous')
        return _bool(self._a.item())
    def __format__(self, spec):
        return format(self._a.item(), spec) if spec else str(self)
    def __repr__(self):
        old = _np.get_printoptions()
        _np.set_printoptions(precision=4)
        if self._a.ndim == 0:
            v = self._a.item()
            text = '%.4f' % v if isinstance(v, _float) and v != _int(v) else '%d.' % v if isinstance(v, _float) else str(v)
        else:
            text = _fixed(self._a)
        _np.set_printoptions(**old)
        extra = ", device='" + str(self.device) + "'" if self.device.type != 'cpu' else ''
        if self._a.dtype not in (_np.float32, _np.int64, _np.bool_):
            extra += ', dtype=torch.' + self._a.dtype.name
        if self.requires_grad:
            extra += ', requires_grad=True'
        return 'tensor(' + text + extra + ')'
    __str__ = __repr__
    def __array__(self):
        return self.numpy()
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError("'Tensor' object has no attribute '" + name + "'")
        raise NotImplementedError('sandbatch does not simulate torch.Tensor.' + name)
def _fixed(a):
    # Four digits after the point, unless all numbers are whole.
    values = _nd.list(a._b) if a.size <= 1000 else []
    if a.dtype._kind == 2 and values and any([v != _int(v) for v in values if v - v == 0]):
        words = ['%.4f' % v for v in values]
    elif a.dtype._kind == 2 and values:
        words = ['%d.' % v for v in values]
    else:
        return _np._text(a, ', ', 'tensor(', ')')
    width = max([len(w) for w in words])
    words = [w.rjust(width) for w in words]
    def nest(shape, ws, indent):
        if len(shape) == 1:
            return '[' + ', '.join(ws) + ']'
        n = len(ws) // shape[0]
        rows = [nest(shape[1:], ws[i * n:(i + 1) * n], indent + 1) for i in range(shape[0])]
        return '[' + (',' + '\n' * (len(shape) - 1) + ' ' * (indent + 1)).join(rows) + ']'
    return nest(a.shape, words, 7)
def _nd_product(a, b):
    if a.shape[0] * a.shape[1] * b.shape[1] > 2000000:
        return _np.full((a.shape[0], b.shape[1]), a.mean() * b.mean() * a.shape[1], a.dtype)
    return _np.matmul(a, b)
class _Pair(tuple):
    def __new__(cls, values, indices):
        return _tuple_of(cls, [values, indices])
    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])
_generator = _np.random.RandomState(0)
def _chance(p):
    return _generator.random() < p
def manual_seed(s):
    _generator.seed(s % 4294967296)
seed = initial_seed = lambda: 0
def _new(a, device=None, dtype=None, requires_grad=False):
    if dtype is not None:
        a = a.astype(dtype._np)
    d = _device(device)
    _allocate(d, a.nbytes)
    return Tensor(a, d, requires_grad)
def tensor(x, dtype=None, device=None, requires_grad=False):
    if isinstance(x, Tensor):
        x = x._a
    a = _np.array(x)
    if dtype is None and a.dtype is _np.float64 and not isinstance(x, _np.ndarray):
        a = a.astype(_np.float32)
    return _new(a, device, dtype, requires_grad)
def as_tensor(x, dtype=None, device=None):
    return x if isinstance(x, Tensor) else tensor(x, dtype, device)
def from_numpy(a):
    return Tensor(a)
FloatTensor = lambda x: tensor(x, dtype=float32)
LongTensor = lambda x: tensor(x, dtype=int64)
def _shape(shape):
    return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
def zeros(*shape, dtype=None, device=None, requires_grad=False):
    return _new(_np.zeros(_shape(shape), (dtype or float32)._np), device, None, requires_grad)
def ones(*shape, dtype=None, device=None, requires_grad=False):
    return _new(_np.ones(_shape(shape), (dtype or float32)._np), device, None, requires_grad)
empty = zeros
def full(shape, value, dtype=None, device=None):
    return _new(_np.full(shape, value, None if dtype is None else dtype._np), device)
def rand(*shape, device=None, dtype=None, requires_grad=False, generator=None):
    return _new(_np.asarray(_generator.random(_shape(shape))).astype(_np.float32), device, dtype, requires_grad)
def randn(*shape, device=None, dtype=None, requires_grad=False, generator=None):
    return _new(_np.asarray(_generator.standard_normal(_shape(shape))).astype(_np.float32), device, dtype, requires_grad)
def randint(low, high=None, size=None, device=None, dtype=None):
    if isinstance(high, (tuple, list)):
        low, high, size = 0, low, high
    return _new(_np.asarray(_generator.randint(low, high, tuple(size))), device, dtype)
def randperm(n, device=None):
    return _new(_generator.permutation(n), device)
def rand_like(t): return rand(*t.shape, device=t.device)
def randn_like(t): return randn(*t.shape, device=t.device)
def zeros_like(t): return zeros(*t.shape, device=t.device)
def ones_like(t): return ones(*t.shape, device=t.device)
def arange(start, stop=None, step=1, dtype=None, device=None):
    a = _np.arange(start, stop, step)
    return _new(a.astype(_np.float32) if a.dtype is _np.float64 else a, device, dtype)
def linspace(a, b, n, device=None): return _new(_np.linspace(a, b, n).astype(_np.float32), device)
def eye(n, device=None): return _new(_np.eye(n).astype(_np.float32), device)
def matmul(a, b): return a @ b
mm = bmm = matmul
def cat(parts, dim=0): return parts[0]._with(_np.concatenate([p._a for p in parts], dim))
concat = cat
def stack(parts, dim=0): return parts[0]._with(_np.stack([p._a for p in parts], dim))
def sum(t, *a, **k): return t.sum(*a, **k)
def mean(t, *a, **k): return t.mean(*a, **k)
def std(t, *a, **k): return t.std(*a, **k)
_pymax, _pymin = max, min
def max(t, *a, **k): return t.max(*a, **k) if isinstance(t, Tensor) else _pymax(t, *a, **k)
def min(t, *a, **k): return t.min(*a, **k) if isinstance(t, Tensor) else _pymin(t, *a, **k)
def argmax(t, *a, **k): return t.argmax(*a, **k)
def topk(t, k, dim=-1): return t.topk(k, dim)
def where(c, a, b): return c._with(_np.where(c._a, a._a if isinstance(a, Tensor) else a, b._a if isinstance(b, Tensor) else b))
def sqrt(t): return t.sqrt()
def exp(t): return t.exp()
def log(t): return t.log()
def sin(t): return t._with(_np.sin(t._a))
def cos(t): return t._with(_np.cos(t._a))
_pyabs = abs
def abs(t): return t.abs() if isinstance(t, Tensor) else _pyabs(t)
def norm(t): return t.norm()
def flatten(t, start=0, end=-1): return t.flatten(start)
def relu(t): return Tensor(_np.maximum(t._a, 0), t.device, False, t._skill)
def sigmoid(t): return t._with(_np._unary('sigmoid', t._a))
def tanh(t): return t._with(_np.tanh(t._a))
def softmax(t, dim=-1):
    e = _np.exp(t._a - t._a.max(dim, keepdims=True))
    return Tensor(e / e.sum(dim, keepdims=True), t.device, False, t._skill)
def unsqueeze(t, k): return t.unsqueeze(k)
def squeeze(t, k=None): return t.squeeze(k)
def allclose(a, b, **k): return _np.allclose(a._a, b._a)
def equal(a, b): return _np.array_equal(a._a, b._a)
def is_tensor(x): return isinstance(x, Tensor)
def numel(t): return t.numel()
def get_default_dtype(): return float32
def set_default_dtype(d): pass
def set_num_threads(n): pass
def get_num_threads():
    import os
    return _int(os.environ.get('OMP_NUM_THREADS') or os.environ.get('SLURM_CPUS_PER_TASK') or 1)
set_num_interop_threads = set_float32_matmul_precision = use_deterministic_algorithms = lambda *a, **k: None
class no_grad:
    def __init__(self, f=None):
        pass
    def __call__(self, f):
        return f
    def __enter__(self):
        self._old, _Count.grad = _Count.grad, False
    def __exit__(self, *exc):
        _Count.grad = self._old
inference_mode = no_grad
class enable_grad(no_grad):
    def __enter__(self):
        self._old, _Count.grad = _Count.grad, True
class autocast:
    def __init__(self, *a, **k):
        pass
    def __enter__(self):
        pass
    def __exit__(self, *exc):
        pass
def compile(model, **kwargs):
    return model
def _plain(x):
    if isinstance(x, Tensor):
        return {'__tensor__': x._a.tolist() if x._a.size <= 64 else None, 'shape': list(x._a.shape), 'dtype': x._a.dtype.name}
    if isinstance(x, dict):
        return {'__dict__': [[_plain(k), _plain(v)] for k, v in x.items()]}
    if isinstance(x, (list, tuple)):
        return [_plain(v) for v in x]
    if x is None or isinstance(x, (str, _int, _float, _bool)):
        return x
    if hasattr(x, 'state_dict'):
        return _plain(x.state_dict())
    raise NotImplementedError('sandbatch does not save objects of type ' + type(x).__name__)
def _lively(x):
    if isinstance(x, dict):
        if '__tensor__' in x:
            a = _np.zeros(tuple(x['shape']), x['dtype']) if x['__tensor__'] is None else _np.array(x['__tensor__'], x['dtype'])
            return Tensor(a)
        return {_lively(k): _lively(v) for k, v in x['__dict__']}
    return [_lively(v) for v in x] if isinstance(x, list) else x
def save(x, name, **kwargs):
    import json
    with open(name, 'w') as f:
        f.write(json.dumps({'sandbatch': _plain(x), 'steps': _Count.steps}))
def load(name, map_location=None, weights_only=False):
    import json
    with open(name) as f:
        v = json.load(f)
    _Count.steps = _pymax(_Count.steps, v['steps'])
    return _lively(v['sandbatch'])
class _Version:
    cuda, hip = _cuda, None
    def __str__(self):
        return __version__
version = _Version()
import torch.cuda as cuda
import torch.nn as nn
import torch.optim as optim
import torch.utils as utils
import torch.backends as backends
def __getattr__(name):
    if name == 'bool':
        return bool_
    if name == 'int':
        return int_
    if name in ('distributed', 'amp', 'multiprocessing'):
        return __import__('torch.' + name).distributed if name == 'distributed' else __import__('torch.' + name).__dict__[name]
    if name.startswith('__'):
        raise AttributeError("module 'torch' has no attribute '" + name + "'")
    raise NotImplementedError('sandbatch does not simulate torch.' + name)
