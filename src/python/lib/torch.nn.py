import torch, math as _m, _host, _nd
import numpy as _np
from torch import Tensor
def _state(m):
    return m.__dict__['_parts']
class Parameter(Tensor):
    def __init__(self, data=None, requires_grad=True):
        if data is None:
            data = torch.zeros(0)
        super().__init__(data._a, data.device, requires_grad)
class Module:
    training = True
    def __init__(self):
        pass
    def _children(self):
        out = []
        for k, v in self.__dict__.items():
            if isinstance(v, Module):
                out.append((k, v))
        return out
    def children(self):
        return iter([m for _, m in self._children()])
    def named_children(self):
        return iter(self._children())
    def modules(self):
        yield self
        for _, m in self._children():
            yield from m.modules()
    def named_modules(self, prefix=''):
        yield prefix, self
        for k, m in self._children():
            yield from m.named_modules(prefix + ('.' if prefix else '') + k)
    def named_parameters(self, prefix='', recurse=True):
        for k, v in self.__dict__.items():
            name = prefix + ('.' if prefix else '') + k
            if isinstance(v, Parameter):
                yield name, v
            elif isinstance(v, Module) and recurse:
                yield from v.named_parameters(name)
    def parameters(self, recurse=True):
        for _, p in self.named_parameters('', recurse):
            yield p
    def buffers(self):
        return iter([])
    def register_parameter(self, name, p):
        setattr(self, name, p)
    def register_buffer(self, name, t, persistent=True):
        setattr(self, name, t)
    def add_module(self, name, m):
        setattr(self, name, m)
    def state_dict(self):
        return dict(self.named_parameters())
    def load_state_dict(self, d, strict=True):
        own = dict(self.named_parameters())
        missing = [k for k in own if k not in d]
        if missing and strict:
            raise RuntimeError('Error(s) in loading state_dict for %s:\n\tMissing key(s) in state_dict: %s. ' % (type(self).__name__, ', '.join(['"' + k + '"' for k in missing])))
        for k, v in d.items():
            if k in own:
                own[k]._a = v._a
        return '<All keys matched successfully>'
    def train(self, mode=True):
        for m in self.modules():
            m.training = mode
        return self
    def eval(self):
        return self.train(False)
    def to(self, *args, dtype=None, device=None, non_blocking=False):
        for x in args:
            if type(x).__name__ == 'dtype':
                dtype = x
            else:
                device = x
        d = None if device is None else torch._device(device)
        for p in self.parameters():
            if d is not None and p.device != d:
                # Gradients and the state of an optimizer take as much again, three times.
                torch._allocate(d, 4 * p._a.nbytes)
                p.device = d
                if d.type == 'cuda':
                    p._a = p._a.copy()
                    _nd.on_device(p._a._b)
            if dtype is not None:
                p._a = p._a.astype(dtype._np)
        return self
    def cuda(self, device=None):
        return self.to('cuda' if device is None else device)
    def cpu(self):
        return self.to('cpu')
    def float(self):
        return self.to(torch.float32)
    def half(self):
        return self.to(torch.float16)
    def requires_grad_(self, on=True):
        for p in self.parameters():
            p.requires_grad = on
        return self
    def zero_grad(self, set_to_none=True):
        pass
    def apply(self, f):
        for m in self.modules():
            f(m)
        return self
    def share_memory(self):
        return self
    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)
    def forward(self, *args):
        raise NotImplementedError('Module [%s] is missing the required "forward" function' % type(self).__name__)
    def extra_repr(self):
        return ''
    def __repr__(self):
        parts = self._children()
        if not parts:
            return type(self).__name__ + '(' + self.extra_repr() + ')'
        return type(self).__name__ + '(\n' + ''.join(['  (' + k + '): ' + repr(m).replace('\n', '\n  ') + '\n' for k, m in parts]) + ')'
def _check(x, p):
    if isinstance(x, Tensor) and x.device != p.device:
        raise RuntimeError('Expected all tensors to be on the same device, but found at least two devices, %s and %s! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)' % (p.device, x.device))
def _skill():
    # How much a model has learned: a curve over the steps of its optimizer.
    return 1.0 - _m.exp(-torch._Count.steps / 400.0)
def _output(x, shape, flops, p):
    # Numbers of a layer that is not computed: of the right shape, device and size.
    torch._spend(x.device, flops * (3 if torch._Count.grad else 1))
    a = torch._generator.standard_normal(shape) if _np._prod(shape) <= 200000 else _np.zeros(shape) + 0.1
    a = _np.asarray(a).astype(_np.float32)
    return Tensor(a, x.device, torch._Count.grad, 0.1 + 0.85 * _skill())
class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        k = 1 / _m.sqrt(max(1, in_features))
        self.weight = Parameter(torch.rand(out_features, in_features) * (2 * k) - k)
        if bias:
            self.bias = Parameter(torch.rand(out_features) * (2 * k) - k)
    def forward(self, x):
        _check(x, self.weight)
        shape = x._a.shape
        if shape[-1] != self.in_features:
            rows = _np._prod(shape[:-1])
            raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (%dx%d and %dx%d)' % (rows, shape[-1], self.in_features, self.out_features))
        rows = _np._prod(shape[:-1])
        flops = 2 * rows * self.in_features * self.out_features
        if flops > 2000000:
            return _output(x, shape[:-1] + (self.out_features,), flops, self.weight)
        torch._spend(x.device, flops * (3 if torch._Count.grad else 1))
        y = _np.matmul(x._a.reshape(rows, self.in_features), self.weight._a.T)
        if hasattr(self, 'bias'):
            y = y + self.bias._a
        return Tensor(y.reshape(shape[:-1] + (self.out_features,)), x.device, torch._Count.grad, 0.1 + 0.85 * _skill())
    def extra_repr(self):
        return 'in_features=%d, out_features=%d, bias=%s' % (self.in_features, self.out_features, hasattr(self, 'bias'))
def _two(n):
    return n if isinstance(n, tuple) else (n, n)
class Conv2d(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True):
        super().__init__()
        self.i, self.o, self.k, self.s, self.p = in_channels, out_channels, _two(kernel_size), _two(stride), padding
        self.weight = Parameter(torch.rand(out_channels, in_channels // groups, self.k[0], self.k[1]) * 0.1 - 0.05)
        if bias:
            self.bias = Parameter(torch.zeros(out_channels))
    def forward(self, x):
        _check(x, self.weight)
        n, c, h, w = x._a.shape
        if c != self.i:
            raise RuntimeError('Given groups=1, weight of size %s, expected input%s to have %d channels, but got %d channels instead' % (list(self.weight.shape), list(x.shape), self.i, c))
        p = ((self.k[0] - 1) // 2, (self.k[1] - 1) // 2) if self.p == 'same' else _two(self.p)
        h, w = (h + 2 * p[0] - self.k[0]) // self.s[0] + 1, (w + 2 * p[1] - self.k[1]) // self.s[1] + 1
        return _output(x, (n, self.o, h, w), 2 * n * h * w * self.o * self.weight._a.size // self.o, self.weight)
    def extra_repr(self):
        return '%d, %d, kernel_size=%s, stride=%s' % (self.i, self.o, self.k, self.s) + (', padding=%s' % (_two(self.p),) if self.p else '')
class _Pool(Module):
    def __init__(self, kernel_size, stride=None, padding=0, **kwargs):
        super().__init__()
        self.k, self.s, self.p = kernel_size, stride or kernel_size, padding
    def forward(self, x):
        n, c, h, w = x._a.shape
        k, s, p = _two(self.k), _two(self.s), _two(self.p)
        return _output(x, (n, c, (h + 2 * p[0] - k[0]) // s[0] + 1, (w + 2 * p[1] - k[1]) // s[1] + 1), x._a.size, None)
    def extra_repr(self):
        return 'kernel_size=%s, stride=%s, padding=%s, dilation=1, ceil_mode=False' % (self.k, self.s, self.p)
class MaxPool2d(_Pool): pass
class AvgPool2d(_Pool): pass
class AdaptiveAvgPool2d(Module):
    def __init__(self, size):
        super().__init__()
        self.size = _two(size)
    def forward(self, x):
        return _output(x, x._a.shape[:2] + self.size, x._a.size, None)
    def extra_repr(self):
        return 'output_size=%s' % (self.size,)
class _Norm(Module):
    def __init__(self, n, eps=1e-05, momentum=0.1, **kwargs):
        super().__init__()
        size = n if isinstance(n, int) else n[0]
        self.n, self.eps = n, eps
        self.weight, self.bias = Parameter(torch.ones(size)), Parameter(torch.zeros(size))
    def forward(self, x):
        _check(x, self.weight)
        torch._spend(x.device, x._a.size * 10)
        return x
    def extra_repr(self):
        return '%s, eps=%s' % (self.n, self.eps)
class BatchNorm1d(_Norm): pass
class BatchNorm2d(_Norm): pass
class LayerNorm(_Norm): pass
class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None):
        super().__init__()
        self.n, self.d = num_embeddings, embedding_dim
        self.weight = Parameter(torch.randn(num_embeddings, embedding_dim))
    def forward(self, x):
        return _output(x, x._a.shape + (self.d,), x._a.size * self.d, self.weight)
    def extra_repr(self):
        return '%d, %d' % (self.n, self.d)
class LSTM(Module):
    def __init__(self, input_size, hidden_size, num_layers=1, batch_first=False, dropout=0.0, bidirectional=False, bias=True):
        super().__init__()
        self.h, self.layers, self.first = hidden_size, num_layers, batch_first
        for i in range(num_layers):
            setattr(self, 'weight_ih_l%d' % i, Parameter(torch.zeros(self.gates * hidden_size, input_size if i == 0 else hidden_size)))
            setattr(self, 'weight_hh_l%d' % i, Parameter(torch.zeros(self.gates * hidden_size, hidden_size)))
    gates = 4
    def forward(self, x, state=None):
        size = sum([p._a.size for p in self.parameters()])
        y = _output(x, x._a.shape[:-1] + (self.h,), 2 * size * _np._prod(x._a.shape[:-1]), None)
        h = _output(x, (self.layers, x._a.shape[0 if self.first else 1], self.h), 0, None)
        return y, (h, h)
class GRU(LSTM):
    gates = 3
    def forward(self, x, state=None):
        y, (h, _) = super().forward(x)
        return y, h
class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, batch_first=False, **kwargs):
        super().__init__()
        self.in_proj_weight = Parameter(torch.zeros(3 * embed_dim, embed_dim))
        self.out_proj = Linear(embed_dim, embed_dim)
    def forward(self, q, k, v, **kwargs):
        return _output(q, q._a.shape, 8 * q._a.size * q._a.shape[-1], None), None
class TransformerEncoderLayer(Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, batch_first=False, **kwargs):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead)
        self.linear1, self.linear2 = Linear(d_model, dim_feedforward), Linear(dim_feedforward, d_model)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
    def forward(self, x, *args, **kwargs):
        n = sum([p._a.size for p in self.parameters()])
        return _output(x, x._a.shape, 2 * n * _np._prod(x._a.shape[:-1]), None)
class TransformerEncoder(Module):
    def __init__(self, layer, num_layers, norm=None):
        super().__init__()
        import copy
        self.layers = ModuleList([layer] + [copy.deepcopy(layer) for _ in range(num_layers - 1)])
    def forward(self, x, *args, **kwargs):
        for m in self.layers:
            x = m(x)
        return x
class Sequential(Module):
    def __init__(self, *parts):
        super().__init__()
        if len(parts) == 1 and isinstance(parts[0], dict):
            for k, m in parts[0].items():
                setattr(self, k, m)
        else:
            for i, m in enumerate(parts):
                setattr(self, str(i), m)
    def forward(self, x):
        for _, m in self._children():
            x = m(x)
        return x
    def __getitem__(self, i):
        return self._children()[i][1]
    def __len__(self):
        return len(self._children())
    def __iter__(self):
        return self.children()
class ModuleList(Sequential):
    def __init__(self, parts=()):
        super().__init__(*parts)
    def append(self, m):
        setattr(self, str(len(self)), m)
        return self
class ModuleDict(Module):
    def __init__(self, parts={}):
        super().__init__()
        for k, m in parts.items():
            setattr(self, k, m)
    def __getitem__(self, k):
        return self.__dict__[k]
class ReLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
    def forward(self, x):
        torch._spend(x.device, x._a.size)
        return torch.relu(x)
class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim
    def forward(self, x):
        return x.flatten(self.start_dim)
    def extra_repr(self):
        return 'start_dim=%d, end_dim=%d' % (self.start_dim, self.end_dim)
class Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
    def forward(self, x):
        return x
    def extra_repr(self):
        return 'p=%s, inplace=False' % self.p
Dropout2d = Dropout
class Identity(Module):
    def __init__(self, *a, **k):
        super().__init__()
    def forward(self, x):
        return x
def _activation(f):
    class A(Module):
        def __init__(self, *a, **k):
            super().__init__()
        def forward(self, x):
            torch._spend(x.device, x._a.size * 4)
            r = f(x)
            r._skill = x._skill
            return r
    return A
Sigmoid, Tanh, Softmax = _activation(torch.sigmoid), _activation(torch.tanh), _activation(lambda x: torch.softmax(x))
LogSoftmax = _activation(lambda x: torch.log(torch.softmax(x)))
GELU = LeakyReLU = ELU = SiLU = _activation(torch.relu)
for _c, _n in ((Sigmoid, 'Sigmoid'), (Tanh, 'Tanh'), (Softmax, 'Softmax'), (LogSoftmax, 'LogSoftmax'), (GELU, 'GELU')):
    _c.__name__ = _c.__qualname__ = _n
def _loss(x, y, start):
    if isinstance(y, Tensor) and y.device != x.device:
        raise RuntimeError('Expected all tensors to be on the same device, but found at least two devices, %s and %s!' % (x.device, y.device))
    # A curve with noise, from the loss of a model that knows nothing.
    noise = 1 + 0.06 * (torch._generator.random() - 0.5)
    value = start * (0.04 + 0.96 * (1 - _skill())) * noise
    t = Tensor(_np.array(value, _np.float32), x.device, torch._Count.grad)
    t._loss = x._a.size
    return t
class _Loss(Module):
    def __init__(self, *a, reduction='mean', **k):
        super().__init__()
    def forward(self, x, y):
        if isinstance(y, Tensor) and x._a.shape != y._a.shape and y._a.size != x._a.size:
            raise RuntimeError('The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension 0' % (x._a.shape[0], y._a.shape[0]))
        start = 0.693 if isinstance(self, BCEWithLogitsLoss) else 1.0
        return _loss(x, y, start)
class MSELoss(_Loss): pass
class L1Loss(_Loss): pass
class SmoothL1Loss(_Loss): pass
class BCEWithLogitsLoss(_Loss): pass
class BCELoss(BCEWithLogitsLoss): pass
class CrossEntropyLoss(_Loss):
    def forward(self, x, y):
        if x._a.shape[0] != y._a.shape[0]:
            raise ValueError('Expected input batch_size (%d) to match target batch_size (%d).' % (x._a.shape[0], y._a.shape[0]))
        return _loss(x, y, _m.log(max(2, x._a.shape[1] if x._a.ndim > 1 else 2)))
class NLLLoss(CrossEntropyLoss): pass
class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, **kwargs):
        super().__init__()
        self.module = module
    def forward(self, *args):
        return self.module(*args)
import torch.nn.functional as functional
import torch.nn.utils as utils
import torch.nn.init as init
import torch.nn.parallel as parallel
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.nn.' + name)
