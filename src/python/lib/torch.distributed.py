import os as _os, time as _time
_ready = False
class ReduceOp:
    SUM, AVG, MAX, MIN, PRODUCT = 'sum', 'avg', 'max', 'min', 'product'
def is_available():
    return True
def is_nccl_available():
    return True
def is_initialized():
    return _ready
def _number(*names):
    for n in names:
        if _os.environ.get(n, '').isdigit():
            return int(_os.environ[n])
    return None
def init_process_group(backend=None, init_method=None, world_size=-1, rank=-1, timeout=None, **kwargs):
    global _ready, _world, _rank
    _world = world_size if world_size > 0 else _number('WORLD_SIZE')
    _rank = rank if rank >= 0 else _number('RANK')
    if init_method in (None, 'env://'):
        for name, value in (('RANK', _rank), ('WORLD_SIZE', _world)):
            if value is None:
                raise ValueError('Error initializing torch.distributed using env:// rendezvous: environment variable %s expected, but not set' % name)
        for name in ('MASTER_ADDR', 'MASTER_PORT'):
            if name not in _os.environ:
                raise ValueError('Error initializing torch.distributed using env:// rendezvous: environment variable %s expected, but not set' % name)
    if backend == 'nccl':
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError('ProcessGroupNCCL is only supported with GPUs, no GPUs found!')
    _ready = True
def _need():
    if not _ready:
        raise ValueError('Default process group has not been initialized, please make sure to call init_process_group.')
def get_rank(group=None):
    _need()
    return _rank
def get_world_size(group=None):
    _need()
    return _world
def get_backend(group=None):
    return 'nccl'
def barrier(*a, **k):
    # Ranks are processes of their own that do not wait for each other.
    _need()
    _time.sleep(0.001)
def all_reduce(t, op=None, group=None, async_op=False):
    _need()
    _time.sleep(0.0005)
    if op in (None, ReduceOp.SUM):
        t._a *= _world if t._a.dtype._kind == 1 else float(_world)
def broadcast(t, src=0, group=None):
    _need()
    _time.sleep(0.0005)
reduce = all_reduce
def destroy_process_group(group=None):
    global _ready
    _ready = False
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.distributed.' + name)
