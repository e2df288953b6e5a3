import sys as _sys, time as _time
TIMEOUT_MAX = 9223372036.0
_count = [0]
_threads = {}
_before_end, _after_end = [], []
def _await(ready, timeout=None):
    # Whether a condition holds, at the latest after this many seconds. The threads of a process take turns: none runs while another one is in the library.
    end = None if timeout is None else _time.monotonic() + timeout
    while not ready():
        left = None if end is None else end - _time.monotonic()
        if left is not None and left <= 0:
            return False
        _change(left)
    return True
class ThreadError(RuntimeError): pass
class BrokenBarrierError(RuntimeError): pass
class ExceptHookArgs:
    def __init__(self, args):
        self.exc_type, self.exc_value, self.exc_traceback, self.thread = args
def excepthook(args):
    if args.exc_type is not SystemExit:
        _sys.stderr.write('Exception in thread ' + args.thread.name + ':\n' + _traceback(args.exc_value))
class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        if name is None:
            _count[0] += 1
            name = 'Thread-%d' % _count[0] + (' (%s)' % target.__name__ if hasattr(target, '__name__') else '')
        self._setup(str(name), target, args, kwargs)
        self.daemon = current_thread().daemon if daemon is None else bool(daemon)
    def _setup(self, name, target, args, kwargs):
        self.name, self._target, self._args, self._kwargs = name, target, args, kwargs or {}
        self._began = self._done = False
        self._number = self._started = None
        self._spaces = {}
    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)
    def start(self):
        if self._started is not None:
            raise RuntimeError('threads can only be started once')
        self._started = True
        self._number = _start(self._bootstrap)
        _threads[self._number] = self
        _await(lambda: self._began)
    def _bootstrap(self):
        self._began = True
        _changed()
        try:
            self.run()
        except BaseException as e:
            excepthook(ExceptHookArgs((type(e), e, None, self)))
        finally:
            _threads.pop(self._number, None)
            self._done = True
            _changed()
    def join(self, timeout=None):
        if self._started is None:
            raise RuntimeError('cannot join thread before it is started')
        if self is current_thread():
            raise RuntimeError('cannot join current thread')
        _await(lambda: self._done, timeout)
    def is_alive(self):
        return self._began and not self._done
    @property
    def ident(self):
        return None if self._number is None else 140000000000000 + self._number
    native_id = ident
    def isDaemon(self):
        return self.daemon
    def setDaemon(self, daemon):
        self.daemon = daemon
    def getName(self):
        return self.name
    def setName(self, name):
        self.name = name
    def __repr__(self):
        state = 'initial' if self._started is None else 'stopped' if self._done else 'started'
        return '<%s(%s, %s%s%s)>' % (type(self).__name__, self.name, state, ' daemon' if self.daemon else '', '' if self.ident is None else ' %d' % self.ident)
class _MainThread(Thread):
    def __init__(self):
        self._setup('MainThread', None, (), None)
        self._began = self._started = True
        self._number, self.daemon = 0, False
_threads[0] = _main = _MainThread()
def current_thread():
    return _threads.get(_number(), _main)
currentThread = current_thread
def main_thread():
    return _main
def enumerate():
    return list(_threads.values())
def active_count():
    return len(_threads)
activeCount = active_count
def get_ident():
    return 140000000000000 + _number()
get_native_id = get_ident
def stack_size(size=0):
    return 0
def _after_fork():
    # The thread that forks is the main thread of the copy.
    global _main
    _main = current_thread()
    _main._number = 0
    _threads.clear()
    _threads[0] = _main
def _shutdown():
    # The main program has ended: the others run to their end.
    while _before_end:
        _before_end.pop()()
    while True:
        others = [t for t in _threads.values() if t is not _main and not t.daemon]
        if not others:
            break
        others[0].join()
    while _after_end:
        _after_end.pop()()
class Lock:
    def __init__(self):
        self._locked = False
    def acquire(self, blocking=True, timeout=-1):
        if self._locked:
            if not blocking or not _await(lambda: not self._locked, None if timeout < 0 else timeout):
                return False
        self._locked = True
        return True
    def release(self):
        if not self._locked:
            raise RuntimeError('release unlocked lock')
        self._locked = False
        _changed()
    def locked(self):
        return self._locked
    def __enter__(self):
        return self.acquire()
    def __exit__(self, *exc):
        self.release()
    def __repr__(self):
        return '<%s _thread.lock object at 0x7f0000000000>' % ('locked' if self._locked else 'unlocked')
    def _owned(self):
        return self._locked
    def _drop(self):
        self.release()
        return 1
    def _take(self, count):
        self.acquire()
class RLock(Lock):
    def __init__(self):
        self._owner, self._times = None, 0
    def acquire(self, blocking=True, timeout=-1):
        me = _number()
        if self._owner not in (None, me):
            if not blocking or not _await(lambda: self._owner is None, None if timeout < 0 else timeout):
                return False
        self._owner, self._times = me, self._times + 1
        return True
    def release(self):
        if self._owner != _number():
            raise RuntimeError('cannot release un-acquired lock')
        self._times -= 1
        if not self._times:
            self._owner = None
            _changed()
    def _owned(self):
        return self._owner == _number()
    def _drop(self):
        times, self._times, self._owner = self._times, 0, None
        _changed()
        return times
    def _take(self, times):
        self.acquire()
        self._times = times
class Condition:
    def __init__(self, lock=None):
        self._lock, self._waiters = RLock() if lock is None else lock, []
        self.acquire, self.release = self._lock.acquire, self._lock.release
    def __enter__(self):
        return self._lock.__enter__()
    def __exit__(self, *exc):
        return self._lock.__exit__(*exc)
    def wait(self, timeout=None):
        if not self._lock._owned():
            raise RuntimeError('cannot wait on un-acquired lock')
        called = [False]
        self._waiters.append(called)
        times = self._lock._drop()
        try:
            return _await(lambda: called[0], timeout)
        finally:
            self._lock._take(times)
            if called in self._waiters and not called[0]:
                self._waiters = [w for w in self._waiters if w is not called]
    def wait_for(self, predicate, timeout=None):
        end = None if timeout is None else _time.monotonic() + timeout
        result = predicate()
        while not result:
            left = None if end is None else end - _time.monotonic()
            if left is not None and left <= 0:
                break
            self.wait(left)
            result = predicate()
        return result
    def notify(self, n=1):
        if not self._lock._owned():
            raise RuntimeError('cannot notify on un-acquired lock')
        for called in self._waiters[:n]:
            called[0] = True
        del self._waiters[:n]
        _changed()
    def notify_all(self):
        self.notify(len(self._waiters))
    notifyAll = notify_all
class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError('semaphore initial value must be >= 0')
        self._value = value
    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value:
            if not blocking or not _await(lambda: self._value > 0, timeout):
                return False
        self._value -= 1
        return True
    def release(self, n=1):
        if n < 1:
            raise ValueError('n must be one or more')
        self._value += n
        _changed()
    def __enter__(self):
        return self.acquire()
    def __exit__(self, *exc):
        self.release()
class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value
    def release(self, n=1):
        if self._value + n > self._initial_value:
            raise ValueError('Semaphore released too many times')
        super().release(n)
class Event:
    def __init__(self):
        self._set = False
    def is_set(self):
        return self._set
    isSet = is_set
    def set(self):
        self._set = True
        _changed()
    def clear(self):
        self._set = False
    def wait(self, timeout=None):
        return _await(lambda: self._set, timeout)
class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties, self._action, self._timeout = parties, action, timeout
        self._group, self.broken = [0, False], False
    @property
    def n_waiting(self):
        return self._group[0]
    def wait(self, timeout=None):
        if self.broken:
            raise BrokenBarrierError
        group = self._group
        index = group[0]
        group[0] += 1
        if group[0] == self.parties:
            if self._action is not None:
                try:
                    self._action()
                except BaseException:
                    self.abort()
                    raise
            self._group = [0, False]
            group[1] = True
            _changed()
        elif not _await(lambda: group[1] or self.broken, self._timeout if timeout is None else timeout):
            self.abort()
        if self.broken and not group[1]:
            raise BrokenBarrierError
        return index
    def abort(self):
        self.broken = True
        _changed()
    def reset(self):
        if self._group[0]:
            self.abort()
        self._group, self.broken = [0, False], False
class local:
    def _space(self):
        return current_thread()._spaces.setdefault(id(self), {})
    def __getattr__(self, name):
        space = local._space(self)
        if name not in space:
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__ if type(self) is not local else '_thread._local', name))
        return space[name]
    def __setattr__(self, name, value):
        local._space(self)[name] = value
class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__()
        self.interval, self.function, self.args, self.kwargs = interval, function, args or [], kwargs or {}
        self.finished = Event()
    def cancel(self):
        self.finished.set()
    def run(self):
        self.finished.wait(self.interval)
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()
def settrace(f):
    pass
setprofile = settrace
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate threading.' + name)
