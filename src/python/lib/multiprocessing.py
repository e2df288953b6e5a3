import os
def cpu_count():
    return os.cpu_count()
class AsyncResult:
    def __init__(self, f, args, kwds, callback, error_callback):
        self._v = self._e = None
        try:
            self._v = f(*args, **kwds)
        except Exception as e:
            self._e = e
            if error_callback is not None:
                error_callback(e)
        else:
            if callback is not None:
                callback(self._v)
    def get(self, timeout=None):
        if self._e is not None:
            raise self._e
        return self._v
    def wait(self, timeout=None):
        pass
    def ready(self):
        return True
    def successful(self):
        return self._e is None
class Pool:
    def __init__(self, processes=None, *args, **kwargs):
        self._n = processes
    def map(self, f, it, chunksize=None):
        return [f(x) for x in it]
    def imap(self, f, it, chunksize=None):
        for x in it:
            yield f(x)
    imap_unordered = imap
    def starmap(self, f, it):
        return [f(*a) for a in it]
    def apply(self, f, args=(), kwds={}):
        return f(*args, **kwds)
    def apply_async(self, f, args=(), kwds={}, callback=None, error_callback=None):
        return AsyncResult(f, args, kwds, callback, error_callback)
    def map_async(self, f, it, chunksize=None, callback=None):
        return AsyncResult(self.map, (f, it), {}, callback, None)
    def starmap_async(self, f, it, chunksize=None, callback=None):
        return AsyncResult(self.starmap, (f, it), {}, callback, None)
    def close(self):
        pass
    join = terminate = close
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
def set_start_method(method, force=False):
    pass
def get_start_method():
    return 'fork'
def freeze_support():
    pass
def get_context(method=None):
    import multiprocessing
    return multiprocessing
class _Current:
    name, pid, daemon = 'MainProcess', os.getpid(), False
def current_process():
    return _Current
from queue import Queue, SimpleQueue
from threading import Lock, RLock, Event, Semaphore
JoinableQueue = Queue
class Process:
    _count = 0
    def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, *, daemon=None):
        Process._count += 1
        self.name = name or 'Process-%d' % Process._count
        self._target, self._args, self._kwargs, self.exitcode, self.pid, self.daemon = target, args, kwargs, None, None, daemon
    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)
    def start(self):
        import sys
        self.pid = os.getpid()
        try:
            self.run()
            self.exitcode = 0
        except SystemExit as e:
            self.exitcode = e.code if isinstance(e.code, int) else 1 if e.code else 0
        except BaseException as e:
            sys.stderr.write('Process ' + self.name + ':\n' + _traceback(e))
            self.exitcode = 1
    def join(self, timeout=None):
        pass
    def is_alive(self):
        return False
    def terminate(self):
        pass
    kill = close = terminate
class Manager:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
    def dict(self, *args, **kwargs):
        return dict(*args, **kwargs)
    def list(self, items=()):
        return list(items)
    Queue, Lock = Queue, Lock
class Value:
    def __init__(self, kind, value=0, lock=True):
        self.value = value
        self._lock = Lock()
    def get_lock(self):
        return self._lock
def Array(kind, items, lock=True):
    return [0] * items if isinstance(items, int) else list(items)
class _End:
    def __init__(self, a, b):
        self._in, self._out = a, b
    def send(self, x):
        self._out.append(x)
    def recv(self):
        if not self._in:
            raise EOFError
        return self._in.pop(0)
    def poll(self, timeout=0):
        return bool(self._in)
    def close(self):
        pass
def Pipe(duplex=True):
    a, b = [], []
    return _End(a, b), _End(b, a)
class ProcessError(Exception): pass
class TimeoutError(ProcessError): pass
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate multiprocessing.' + name)
