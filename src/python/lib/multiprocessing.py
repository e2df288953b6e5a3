import os, sys, pickle as _pickle, threading as _threading, time as _time, subprocess as _sub
from queue import Empty, Full
def cpu_count():
    return os.cpu_count()
class ProcessError(Exception): pass
class BufferTooShort(ProcessError): pass
class AuthenticationError(ProcessError): pass
class TimeoutError(ProcessError): pass
for _c in (ProcessError, BufferTooShort, AuthenticationError, TimeoutError):
    _c.__module__ = 'multiprocessing.context'
class RemoteTraceback(Exception):
    def __init__(self, text):
        self.text = text
    def __str__(self):
        return '\n"""\n' + self.text + '"""'
RemoteTraceback.__module__ = 'multiprocessing.pool'
class MaybeEncodingError(Exception):
    def __init__(self, error, value):
        super().__init__(error, value)
    def __str__(self):
        return "Error sending result: '%s'. Reason: '%s'" % (self.args[1], self.args[0])
MaybeEncodingError.__module__ = 'multiprocessing.pool'
def _end(limit):
    return None if limit is None else _time.monotonic() + limit
def _left(end):
    return None if end is None else max(0, end - _time.monotonic())
def _write(fd, data):
    while data:
        data = data[os.write(fd, data):]
def _exactly(fd, n):
    parts = []
    while n:
        data = _sub._read(fd, n)
        if not data:
            raise EOFError
        parts.append(data)
        n -= len(data)
    return parts[0] if len(parts) == 1 else b''.join(parts)
def _message(x):
    data = _pickle.dumps(x)
    return len(data).to_bytes(4, 'big') + data
def _receive(fd, limit=None):
    # The next message of a pipe; None if there is none in time.
    head = _sub._read(fd, 4) if limit is None else _sub._read(fd, 4, limit)
    if head is None:
        return None
    if not head:
        raise EOFError
    if len(head) < 4:
        head += _exactly(fd, 4 - len(head))
    return (_pickle.loads(_exactly(fd, int.from_bytes(head, 'big'))),)
class Connection:
    def __init__(self, r, w):
        self._r, self._w, self.closed = r, w, False
        self.readable, self.writable = r is not None, w is not None
    def _check(self, fd, what):
        if self.closed:
            raise OSError('handle is closed')
        if fd is None:
            raise OSError('connection is ' + what + '-only')
    def send(self, x):
        self._check(self._w, 'read')
        _write(self._w, _message(x))
    def recv(self):
        self._check(self._r, 'write')
        return _receive(self._r)[0]
    send_bytes, recv_bytes = send, recv
    def poll(self, timeout=0.0):
        self._check(self._r, 'write')
        return bool(_sub._select([self._r], [], timeout))
    def fileno(self):
        return self._r if self._r is not None else self._w
    def close(self):
        if not self.closed:
            self.closed = True
            for fd in {self._r, self._w} - {None}:
                _sub._close(fd)
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.close()
def Pipe(duplex=True):
    r, w = _sub._pipe()
    if not duplex:
        return Connection(r, None), Connection(None, w)
    r2, w2 = _sub._pipe()
    return Connection(r, w2), Connection(r2, w)
class _Main:
    name, daemon, exitcode, authkey = 'MainProcess', False, None, b''
    pid = ident = os.getpid()
    def is_alive(self):
        return True
    def __repr__(self):
        return "<_MainProcess name='MainProcess' parent=None started>"
_current, _parent, _children, _count = _Main(), None, [], [0]
def current_process():
    return _current
def parent_process():
    return _parent
def active_children():
    return [p for p in list(_children) if p.is_alive()]
class Process:
    _word = 'Process'
    def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, *, daemon=None):
        _count[0] += 1
        self._number = _count[0]
        self._identity = tuple(getattr(_current, '_identity', ())) + (str(self._number),)
        self.name = name or self._word + '-' + ':'.join(self._identity)
        self._target, self._args, self._kwargs = target, tuple(args), dict(kwargs)
        self.pid, self._code, self._closed = None, None, False
        self.daemon = _current.daemon if daemon is None else daemon
    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)
    def start(self):
        if self.pid is not None:
            raise AssertionError('cannot start a process twice')
        if _current.daemon:
            raise AssertionError('daemonic processes are not allowed to have children')
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            os._exit(self._main())
        self.pid = pid
        _children.append(self)
        if _exit not in _threading._after_end:
            _threading._after_end.append(_exit)
    def _main(self):
        # The child.
        global _current, _parent
        _parent, _current = _current, self
        _children.clear()
        _count[0] = 0
        self.pid = os.getpid()
        _threading._before_end.clear()
        _threading._after_end[:] = [_exit]
        code = 0
        try:
            self.run()
        except SystemExit as e:
            if e.code is None:
                code = 0
            elif isinstance(e.code, int):
                code = e.code
            else:
                sys.stderr.write(str(e.code) + '\n')
                code = 1
        except BaseException as e:
            sys.stderr.write('Process ' + self.name + ':\n' + _traceback(e))
            code = 1
        _threading._shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        return code & 255
    def _wait(self, *limit):
        if self._closed:
            raise ValueError('process object is closed')
        if self._code is None and self.pid is not None and self is not _current:
            self._code = _sub._wait(self.pid, *limit)
            if self._code is not None and self in _children:
                _children.remove(self)
        return self._code
    def join(self, timeout=None):
        if self.pid is None:
            raise AssertionError('can only join a started process')
        if timeout is None:
            self._wait(False)
        else:
            self._wait(False, max(0, timeout))
    @property
    def exitcode(self):
        return self._wait(True)
    @property
    def ident(self):
        return self.pid
    def is_alive(self):
        if self is _current:
            return True
        return self.pid is not None and self._wait(True) is None
    def _kill(self, number):
        if self._wait(True) is None and self.pid is not None:
            os.kill(self.pid, number)
    def terminate(self):
        self._kill(15)
    def kill(self):
        self._kill(9)
    def close(self):
        if self.pid is not None and self._wait(True) is None:
            raise ValueError('Cannot close a process while it is still running. You should first call join() or terminate().')
        self._closed = True
    def __repr__(self):
        state = 'initial' if self.pid is None else 'started' if self._wait(True) is None else 'stopped exitcode=%d' % self._code
        pid = '' if self.pid is None else ' pid=%d' % self.pid
        return "<%s name='%s'%s parent=%d %s%s>" % (type(self).__name__, self.name, pid, os.getpid(), state, ' daemon' if self.daemon else '')
def _exit():
    # The program has ended: children that are daemons end, the others are waited for.
    for p in active_children():
        if p.daemon:
            p.terminate()
    for p in active_children():
        p.join()
class _Inherited:
    # A child that is started later has the object. Nothing else can reach its pipes.
    _born = None
    def __getstate__(self):
        if self._born is None:
            raise RuntimeError('%s objects should only be shared between processes through inheritance' % type(self).__name__)
        if any([p._number <= self._born for p in _children]):
            raise NotImplementedError("sandbatch shares a manager's object only with processes that start after it")
        return {k: None if k in ('_feeder', '_owner') else v for k, v in self.__dict__.items() if k != 'join_thread'}
class Semaphore(_Inherited):
    # Its value is the number of bytes in a pipe.
    def __init__(self, value=1):
        self._r, self._w = _sub._pipe()
        self._most = None
        _write(self._w, b'.' * value)
    def acquire(self, block=True, timeout=None):
        if not block:
            timeout = 0
        elif timeout is not None:
            timeout = max(0, timeout)
        return _sub._read(self._r, 1, timeout) is not None
    def release(self):
        if self._most is not None and self.get_value() >= self._most:
            raise ValueError('semaphore or lock released too many times')
        _write(self._w, b'.')
    def get_value(self):
        return _sub._pending(self._r)
    def __enter__(self):
        return self.acquire()
    def __exit__(self, *exc):
        self.release()
class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._most = value
class Lock(BoundedSemaphore):
    def __init__(self):
        super().__init__(1)
    def _drop(self):
        self.release()
        return 1
    def _take(self, times):
        self.acquire()
class RLock(Lock):
    _owner, _times = None, 0
    def acquire(self, block=True, timeout=None):
        me = (os.getpid(), _threading.get_ident())
        if self._owner != me or not self._times:
            if not super().acquire(block, timeout):
                return False
            self._owner, self._times = me, 0
        self._times += 1
        return True
    def release(self):
        if self._owner != (os.getpid(), _threading.get_ident()) or not self._times:
            raise AssertionError('attempt to release recursive lock not owned by thread')
        self._times -= 1
        if not self._times:
            self._owner = None
            super().release()
    def _drop(self):
        times = self._times
        for _ in range(times):
            self.release()
        return times
    def _take(self, times):
        for _ in range(times):
            self.acquire()
class Event(_Inherited):
    def __init__(self):
        self._r, self._w = _sub._pipe()
    def is_set(self):
        return _sub._pending(self._r) > 0
    def set(self):
        if not self.is_set():
            _write(self._w, b'.')
    def clear(self):
        while self.is_set():
            _sub._read(self._r, 64, 0)
    def wait(self, timeout=None):
        return bool(_sub._select([self._r], [], timeout))
class Condition(_Inherited):
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release
        self._sleeping, self._called = Semaphore(0), Semaphore(0)
    def __enter__(self):
        return self._lock.__enter__()
    def __exit__(self, *exc):
        return self._lock.__exit__(*exc)
    def wait(self, timeout=None):
        self._sleeping.release()
        times = self._lock._drop()
        try:
            called = self._called.acquire(True, timeout)
            if not called and not self._sleeping.acquire(False):
                called = self._called.acquire(False)
            return called
        finally:
            self._lock._take(times)
    def wait_for(self, predicate, timeout=None):
        end = _end(timeout)
        result = predicate()
        while not result:
            left = _left(end)
            if left == 0:
                break
            self.wait(left)
            result = predicate()
        return result
    def notify(self, n=1):
        while n > 0 and self._sleeping.acquire(False):
            self._called.release()
            n -= 1
    def notify_all(self):
        self.notify(1 << 30)
class _Shared(_Inherited):
    # A value that processes share. It lies in a pipe, and every change replaces it as a whole.
    def __init__(self, value):
        self._r, self._w = _sub._pipe()
        self._put(value)
    def _put(self, value):
        _sub._swap(self._r, self._w, _pickle.dumps(value))
    def _peek(self):
        return _pickle.loads(_sub._swap(self._r, self._w))
    def _change(self, f):
        while True:
            before = _sub._swap(self._r, self._w)
            value = _pickle.loads(before)
            result = f(value)
            if _sub._swap(self._r, self._w, _pickle.dumps(value), before) == before:
                return result
class _Locked(_Shared):
    def __init__(self, value, lock):
        super().__init__(value)
        self._lock = RLock() if lock in (True, None) else lock
    def get_lock(self):
        return self._lock
    def get_obj(self):
        return self
    def acquire(self, *args):
        return self._lock.acquire(*args)
    def release(self):
        self._lock.release()
    def __enter__(self):
        return self._lock.__enter__()
    def __exit__(self, *exc):
        self._lock.release()
def _number(kind, x):
    name = kind if isinstance(kind, str) else getattr(kind, '__name__', 'd')
    return float(x) if name in ('d', 'f', 'c_double', 'c_float') else bool(x) if name == 'c_bool' else int(x)
class _Value(_Locked):
    def __init__(self, kind, value, lock):
        self._kind = kind
        super().__init__(_number(kind, value), lock)
    @property
    def value(self):
        return self._peek()
    @value.setter
    def value(self, value):
        self._put(_number(self._kind, value))
def Value(kind, value=0, *, lock=True):
    return _Value(kind, value, lock)
class _Array(_Locked):
    def __init__(self, kind, items, lock):
        self._kind = kind
        super().__init__([_number(kind, x) for x in ([0] * items if isinstance(items, int) else items)], lock)
    def __len__(self):
        return len(self._peek())
    def __getitem__(self, i):
        return self._peek()[i]
    def __setitem__(self, i, x):
        x = [_number(self._kind, v) for v in x] if isinstance(i, slice) else _number(self._kind, x)
        def put(items):
            items[i] = x
        self._change(put)
    def __iter__(self):
        return iter(self._peek())
def Array(kind, items, *, lock=True):
    return _Array(kind, items, lock)
RawValue = lambda kind, value=0: _Value(kind, value, True)
RawArray = lambda kind, items: _Array(kind, items, True)
class Barrier(_Inherited):
    def __init__(self, parties, action=None, timeout=None):
        self.parties, self._action, self._timeout = parties, action, timeout
        self._state, self._condition, self.broken = _Shared([0, 0]), Condition(), False
    def wait(self, timeout=None):
        with self._condition:
            index, round = self._state._peek()
            if index + 1 == self.parties:
                if self._action is not None:
                    self._action()
                self._state._put([0, round + 1])
                self._condition.notify_all()
            else:
                self._state._put([index + 1, round])
                if not self._condition.wait_for(lambda: self._state._peek()[1] != round, self._timeout if timeout is None else timeout):
                    raise _threading.BrokenBarrierError
            return index
class Queue(_Inherited):
    def __init__(self, maxsize=0):
        self._r, self._w = _sub._pipe()
        self._reading, self._writing, self._items = Lock(), Lock(), Semaphore(0)
        self._room = Semaphore(maxsize) if maxsize > 0 else None
        self._buffer, self._feeder, self._owner = [], None, None
    def put(self, x, block=True, timeout=None):
        if self._room is not None and not self._room.acquire(block, timeout):
            raise Full
        data = _message(x)
        if self._owner != os.getpid():
            self._buffer, self._feeder, self._owner = [], None, os.getpid()
        if not self._buffer and self._writing.acquire(False):
            try:
                # A short message is written whole or not at all.
                done = len(data) <= 4096 and _sub._try_write(self._w, data)
            finally:
                self._writing.release()
            if done:
                self._items.release()
                return
        self._buffer.append(data)
        if self._feeder is None or not self._feeder.is_alive():
            self._feeder = _threading.Thread(target=self._feed, daemon=True)
            self._feeder.start()
            if self.join_thread not in _threading._before_end:
                _threading._before_end.append(self.join_thread)
    def _feed(self):
        while self._buffer:
            with self._writing:
                _write(self._w, self._buffer[0])
            del self._buffer[0]
            self._items.release()
    def get(self, block=True, timeout=None):
        end = _end(timeout if block else 0)
        if not self._reading.acquire(True, _left(end)):
            raise Empty
        try:
            found = _receive(self._r, _left(end))
        finally:
            self._reading.release()
        if found is None:
            raise Empty
        self._items.acquire(False)
        if self._room is not None:
            self._room.release()
        return found[0]
    def put_nowait(self, x):
        self.put(x, False)
    def get_nowait(self):
        return self.get(False)
    def empty(self):
        return not _sub._pending(self._r)
    def full(self):
        return self._room is not None and not self._room.get_value()
    def qsize(self):
        return self._items.get_value()
    def close(self):
        pass
    def join_thread(self):
        if self._owner == os.getpid() and self._feeder is not None and self._feeder.is_alive():
            self._feeder.join()
    def cancel_join_thread(self):
        if self.join_thread in _threading._before_end:
            _threading._before_end.remove(self.join_thread)
class SimpleQueue(Queue):
    def __init__(self):
        super().__init__()
class JoinableQueue(Queue):
    def __init__(self, maxsize=0):
        super().__init__(maxsize)
        self._unfinished, self._none = Semaphore(0), Event()
        self._none.set()
    def put(self, x, block=True, timeout=None):
        self._none.clear()
        self._unfinished.release()
        super().put(x, block, timeout)
    def task_done(self):
        if not self._unfinished.acquire(False):
            raise ValueError('task_done() called too many times')
        if not self._unfinished.get_value():
            self._none.set()
    def join(self):
        while self._unfinished.get_value():
            self._none.wait()
def Pool(processes=None, initializer=None, initargs=(), maxtasksperchild=None):
    import multiprocessing.pool
    return multiprocessing.pool.Pool(processes, initializer, initargs, maxtasksperchild)
def Manager():
    import multiprocessing.managers
    return multiprocessing.managers.SyncManager()
def set_start_method(method, force=False):
    if method not in ('fork', 'spawn', 'forkserver'):
        raise ValueError('cannot find context for %r' % method)
def get_start_method(allow_none=False):
    return 'fork'
def get_all_start_methods():
    return ['fork', 'spawn', 'forkserver']
def freeze_support():
    pass
def get_logger():
    import logging
    return logging.getLogger('multiprocessing')
def get_context(method=None):
    import multiprocessing
    return multiprocessing
def __getattr__(name):
    if name in ('pool', 'managers', 'connection', 'dummy'):
        raise AttributeError("module 'multiprocessing' has no attribute '" + name + "'")
    raise NotImplementedError('sandbatch does not simulate multiprocessing.' + name)
