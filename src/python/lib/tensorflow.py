import _host
_host.model()
import numpy as _np
import tensorflow.keras as keras
__version__ = _host.version('tensorflow')
float32, float64, int32, int64 = _np.float32, _np.float64, _np.int32, _np.int64
def constant(x, dtype=None, shape=None):
    a = _np.array(x, dtype)
    if dtype is None and a.dtype is _np.float64:
        a = a.astype(_np.float32)
    return a if shape is None else a.reshape(shape)
convert_to_tensor = Variable = constant
zeros, ones, matmul, reshape, concat, stack = _np.zeros, _np.ones, _np.matmul, _np.reshape, _np.concatenate, _np.stack
def reduce_sum(x, axis=None):
    return _np.sum(x, axis)
def reduce_mean(x, axis=None):
    return _np.mean(x, axis)
class _PhysicalDevice:
    def __init__(self, n):
        self.name, self.device_type = '/physical_device:GPU:%d' % n, 'GPU'
    def __repr__(self):
        return "PhysicalDevice(name='%s', device_type='%s')" % (self.name, self.device_type)
class _Experimental:
    def set_memory_growth(self, device, on):
        pass
class _Config:
    experimental = _Experimental()
    def list_physical_devices(self, kind=None):
        return [_PhysicalDevice(i) for i in range(len(_host.gpus()))] if kind in (None, 'GPU') else []
    list_logical_devices = list_physical_devices
config = _Config()
class _Random:
    def set_seed(self, s):
        _np.random.seed(s)
    def normal(self, shape, mean=0.0, stddev=1.0):
        return _np.random.normal(mean, stddev, tuple(shape)).astype(_np.float32)
    def uniform(self, shape, minval=0.0, maxval=1.0):
        return _np.random.uniform(minval, maxval, tuple(shape)).astype(_np.float32)
random = _Random()
class _Test:
    def is_gpu_available(self):
        return len(_host.gpus()) > 0
    is_built_with_cuda = lambda self: True
test = _Test()
class device:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
def function(f=None, **kwargs):
    return f if f is not None else lambda g: g
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    raise NotImplementedError('sandbatch does not simulate tensorflow.' + name)
