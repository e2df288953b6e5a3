import sys as _sys
_names = [0]
class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        _names[0] += 1
        if name is None:
            name = 'Thread-%d' % _names[0] + (' (%s)' % target.__name__ if target is not None else '')
        self.name, self._target, self._args, self._kwargs, self.daemon = name, target, args, kwargs or {}, bool(daemon)
        self._ran = False
        self.ident = None
    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)
    def start(self):
        if self._ran:
            raise RuntimeError('threads can only be started once')
        global _current
        self._ran = True
        before, _current = _current, self
        self.ident = 140000000000000 + _names[0]
        try:
            self.run()
        except SystemExit:
            pass
        except BaseException as e:
            _sys.stderr.write('Exception in thread ' + self.name + ':\n' + _traceback(e))
        finally:
            _current = before
    def join(self, timeout=None):
        if not self._ran:
            raise RuntimeError('cannot join thread before it is started')
    def is_alive(self):
        return False
    isDaemon = lambda self: self.daemon
    def getName(self):
        return self.name
class _Main(Thread):
    def __init__(self):
        self.name, self._ran, self.daemon, self.ident = 'MainThread', True, False, 140000000000000
_current = _main = _Main()
def current_thread():
    return _current
currentThread = current_thread
def main_thread():
    return _main
def active_count():
    return 1
def enumerate():
    return [_main]
def get_ident():
    return _current.ident
class Lock:
    def __init__(self):
        self._locked = 0
    def acquire(self, blocking=True, timeout=-1):
        if self._locked and not blocking:
            return False
        if self._locked and not self._again:
            raise RuntimeError('sandbatch runs threads one after another: this lock is never released')
        self._locked += 1
        return True
    _again = False
    def release(self):
        if not self._locked:
            raise RuntimeError('release unlocked lock')
        self._locked -= 1
    def locked(self):
        return self._locked > 0
    def __enter__(self):
        return self.acquire()
    def __exit__(self, *exc):
        self.release()
class RLock(Lock):
    _again = True
class Condition(RLock):
    def __init__(self, lock=None):
        super().__init__()
    def wait(self, timeout=None):
        return True
    def wait_for(self, f, timeout=None):
        return f()
    def notify(self, n=1):
        pass
    notify_all = lambda self: None
class Semaphore(RLock):
    def __init__(self, value=1):
        super().__init__()
BoundedSemaphore = Semaphore
class Event:
    def __init__(self):
        self._set = False
    def is_set(self):
        return self._set
    def set(self):
        self._set = True
    def clear(self):
        self._set = False
    def wait(self, timeout=None):
        if not self._set:
            if timeout is None:
                raise RuntimeError('sandbatch runs threads one after another: this event is never set')
            import time
            time.sleep(timeout)
        return self._set
class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties = parties
    def wait(self, timeout=None):
        if self.parties > 1:
            raise RuntimeError('sandbatch runs threads one after another: the others never reach this barrier')
        return 0
class local: pass
class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self.interval = interval
    def run(self):
        import time
        time.sleep(self.interval)
        super().run()
    def cancel(self):
        pass
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate threading.' + name)
