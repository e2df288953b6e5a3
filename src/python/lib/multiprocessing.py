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
class RemoteTraceback(Exception):
    def __init__(self, text):
        self.text = text
    def __str__(self):
        return '\n"""\n' + self.text + '"""'
RemoteTraceback.__module__ = 'multiprocessing.pool'
def _send(fd, x):
    import pickle
    data = pickle.dumps(x)
    while data:
        data = data[os.write(fd, data):]
def _spread(f, items, n, star, start):
    # The workers are processes: copies of this one, each with its share of the items.
    import sys, pickle, subprocess
    items = list(items)
    n = min(n or os.cpu_count() or 1, len(items), 64)
    if not items:
        return []
    pickle.dumps(f)
    sys.stdout.flush()
    sys.stderr.flush()
    workers = []
    for k in range(n):
        r, w = subprocess._pipe()
        pid = os.fork()
        if pid == 0:
            _Current.name, _Current.pid, _Current.daemon = 'ForkPoolWorker-%d' % (k + 1), os.getpid(), True
            subprocess._close(r)
            out = []
            try:
                if start is not None:
                    start()
                for x in items[k::n]:
                    try:
                        out.append((True, f(*x) if star else f(x)))
                    except Exception as e:
                        out.append((False, (type(e), e.args, _traceback(e))))
                _send(w, out)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        subprocess._close(w)
        workers.append((pid, r))
    results, error = [None] * len(items), None
    for k, (pid, r) in enumerate(workers):
        parts = []
        while True:
            data = subprocess._read(r)
            if not data:
                break
            parts.append(data)
        subprocess._close(r)
        os.waitpid(pid)
        if not parts:
            raise RuntimeError('a worker of the pool ended without a result')
        for j, (good, value) in enumerate(pickle.loads(b''.join(parts))):
            if good:
                results[k + j * n] = value
            elif error is None:
                kind, args, text = value
                error = kind(*args)
                error.__cause__ = RemoteTraceback(text)
    if error is not None:
        raise error
    return results
class Pool:
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        self._n = processes
        self._start = None if initializer is None else lambda: initializer(*initargs)
    def map(self, f, it, chunksize=None):
        return _spread(f, it, self._n, False, self._start)
    def imap(self, f, it, chunksize=1):
        return iter(_spread(f, it, self._n, False, self._start))
    imap_unordered = imap
    def starmap(self, f, it, chunksize=None):
        return _spread(f, it, self._n, True, self._start)
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
