import _host
_current = 0
class OutOfMemoryError(RuntimeError): pass
def is_available():
    return len(_host.gpus()) > 0
def device_count():
    return len(_host.gpus())
def _need():
    if not _host.gpus():
        raise RuntimeError('No CUDA GPUs are available')
def current_device():
    _need()
    return _current
def set_device(d):
    global _current
    _need()
    n = getattr(d, 'index', d)
    if isinstance(n, str):
        n = int(n.partition(':')[2] or 0)
    if n >= device_count():
        raise RuntimeError('CUDA error: invalid device ordinal')
    _current = n
def _index(d):
    if d is None:
        return _current
    d = getattr(d, 'index', d)
    return int(str(d).partition(':')[2] or 0) if isinstance(d, str) else d or 0
def get_device_name(d=None):
    _need()
    return _host.gpus()[_index(d)][0]
class _Properties:
    pass
def get_device_properties(d=None):
    _need()
    p = _Properties()
    p.name, total = _host.gpus()[_index(d)]
    p.total_memory, p.major, p.minor, p.multi_processor_count = total * 1048576, 8, 0, 108
    return p
def get_device_capability(d=None):
    _need()
    return (8, 0)
def memory_allocated(d=None):
    import torch
    return max(0, torch._Count.device.get(_index(d), 320 * 1048576) - 320 * 1048576)
max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated
def mem_get_info(d=None):
    total = _host.gpus()[_index(d)][1]
    return (total * 1048576 - memory_allocated(d), total * 1048576)
def synchronize(d=None):
    _need()
def empty_cache():
    pass
reset_peak_memory_stats = ipc_collect = lambda *a: None
def manual_seed(s):
    pass
manual_seed_all = manual_seed
def is_bf16_supported():
    return True
class Event:
    def __init__(self, enable_timing=False):
        pass
    def record(self):
        import time
        self._t = time.perf_counter()
    def synchronize(self):
        pass
    def elapsed_time(self, other):
        return (other._t - self._t) * 1000
import torch.cuda.amp as amp
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.cuda.' + name)
