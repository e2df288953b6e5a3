import _host
_host.model()
import jax.numpy as numpy
import jax.random as random
__version__ = _host.version('jax')
class _Device:
    def __init__(self, kind, n):
        self.platform, self.id = kind, n
        self.device_kind = _host.gpus()[n][0] if kind == 'gpu' else 'cpu'
    def __repr__(self):
        return ('CudaDevice(id=%d)' if self.platform == 'gpu' else 'TFRT_CPU_%d') % self.id
def devices(backend=None):
    n = len(_host.gpus())
    return [_Device('gpu', i) for i in range(n)] if n and backend != 'cpu' else [_Device('cpu', 0)]
local_devices = devices
def device_count():
    return len(devices())
local_device_count = device_count
def default_backend():
    return devices()[0].platform
def jit(f=None, **kwargs):
    return f if f is not None else lambda g: g
def block_until_ready(x):
    return x
def device_put(x, device=None):
    return x
def vmap(f, in_axes=0, out_axes=0):
    return lambda *args: numpy.stack([f(*row) for row in zip(*args)])
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    raise NotImplementedError('sandbatch does not simulate jax.' + name)
