import multiprocessing as _mp
def _manage(o):
    # Other than the objects of `multiprocessing` itself, those of a manager may be part of a task.
    if isinstance(o, (_mp._Inherited, Namespace)):
        object.__setattr__(o, '_born', _mp._count[0])
        for part in list(o.__dict__.values()):
            _manage(part)
    return o
class _Proxy(_mp._Shared):
    def __len__(self):
        return len(self._peek())
    def __iter__(self):
        return iter(self._peek())
    def __contains__(self, x):
        return x in self._peek()
    def __getitem__(self, i):
        return self._peek()[i]
    def __setitem__(self, i, x):
        def put(v):
            v[i] = x
        self._change(put)
    def __delitem__(self, i):
        def drop(v):
            del v[i]
        self._change(drop)
    def _call(self, name, *args, **kwargs):
        return self._change(lambda v: getattr(v, name)(*args, **kwargs))
    def pop(self, *args):
        return self._call('pop', *args)
    def clear(self):
        self._call('clear')
    def copy(self):
        return self._peek()
    def __str__(self):
        return str(self._peek())
    def __eq__(self, other):
        return self._peek() == (other._peek() if isinstance(other, _Proxy) else other)
class DictProxy(_Proxy):
    def keys(self):
        return list(self._peek())
    def values(self):
        return list(self._peek().values())
    def items(self):
        return list(self._peek().items())
    def get(self, key, default=None):
        return self._peek().get(key, default)
    def update(self, *args, **kwargs):
        self._call('update', *args, **kwargs)
    def setdefault(self, key, default=None):
        return self._call('setdefault', key, default)
    def popitem(self):
        return self._call('popitem')
class ListProxy(_Proxy):
    def append(self, x):
        self._call('append', x)
    def extend(self, items):
        self._call('extend', list(items))
    def insert(self, i, x):
        self._call('insert', i, x)
    def remove(self, x):
        self._call('remove', x)
    def index(self, *args):
        return self._peek().index(*args)
    def count(self, x):
        return self._peek().count(x)
    def sort(self, **kwargs):
        self._call('sort', **kwargs)
    def reverse(self):
        self._call('reverse')
class Namespace:
    def __init__(self, **values):
        object.__setattr__(self, '_shared', _mp._Shared(values))
    def __getattr__(self, name):
        values = self._shared._peek()
        if name not in values:
            raise AttributeError("'Namespace' object has no attribute '" + name + "'")
        return values[name]
    def __setattr__(self, name, value):
        def put(v):
            v[name] = value
        self._shared._change(put)
class SyncManager:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
    def start(self):
        pass
    shutdown = start
    def dict(self, *args, **kwargs):
        return _manage(DictProxy(dict(*args, **kwargs)))
    def list(self, items=()):
        return _manage(ListProxy(list(items)))
    def Queue(self, maxsize=0):
        return _manage(_mp.Queue(maxsize))
    def JoinableQueue(self, maxsize=0):
        return _manage(_mp.JoinableQueue(maxsize))
    def Lock(self):
        return _manage(_mp.Lock())
    def RLock(self):
        return _manage(_mp.RLock())
    def Event(self):
        return _manage(_mp.Event())
    def Condition(self, lock=None):
        return _manage(_mp.Condition(lock))
    def Semaphore(self, value=1):
        return _manage(_mp.Semaphore(value))
    def Barrier(self, *args):
        return _manage(_mp.Barrier(*args))
    def Value(self, kind, value):
        return _manage(_mp._Value(kind, value, True))
    def Array(self, kind, items):
        return _manage(_mp._Array(kind, items, True))
    def Namespace(self, **values):
        return _manage(Namespace(**values))
    def Pool(self, *args, **kwargs):
        from multiprocessing.pool import Pool
        return Pool(*args, **kwargs)
