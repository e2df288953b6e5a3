import os as _os, threading as _threading, time as _time
FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = 'FIRST_COMPLETED', 'FIRST_EXCEPTION', 'ALL_COMPLETED'
class Error(Exception): pass
class CancelledError(Error): pass
class InvalidStateError(Error): pass
class BrokenExecutor(RuntimeError): pass
for _c in (Error, CancelledError, InvalidStateError, BrokenExecutor):
    _c.__module__ = 'concurrent.futures._base'
TimeoutError = TimeoutError
class Future:
    def __init__(self):
        self._state, self._result, self._exception, self._callbacks = 'PENDING', None, None, []
    def cancel(self):
        if self._state in ('RUNNING', 'FINISHED'):
            return False
        if self._state != 'CANCELLED':
            self._end('CANCELLED')
        return True
    def cancelled(self):
        return self._state == 'CANCELLED'
    def running(self):
        return self._state == 'RUNNING'
    def done(self):
        return self._state in ('FINISHED', 'CANCELLED')
    def _end(self, state):
        self._state = state
        _threading._changed()
        callbacks, self._callbacks = self._callbacks, []
        for f in callbacks:
            f(self)
    def set_running_or_notify_cancel(self):
        if self._state == 'CANCELLED':
            return False
        self._state = 'RUNNING'
        return True
    def set_result(self, result):
        if self.done():
            raise InvalidStateError('%s: %r' % (self._state, self))
        self._result = result
        self._end('FINISHED')
    def set_exception(self, exception):
        if self.done():
            raise InvalidStateError('%s: %r' % (self._state, self))
        self._exception = exception
        self._end('FINISHED')
    def add_done_callback(self, fn):
        if self.done():
            fn(self)
        else:
            self._callbacks.append(fn)
    def _wait(self, timeout):
        if not _threading._await(self.done, timeout):
            raise TimeoutError()
        if self._state == 'CANCELLED':
            raise CancelledError()
    def result(self, timeout=None):
        self._wait(timeout)
        if self._exception is not None:
            raise self._exception
        return self._result
    def exception(self, timeout=None):
        self._wait(timeout)
        return self._exception
    def __repr__(self):
        state = self._state.lower()
        if self._state == 'FINISHED':
            state += ' raised ' + type(self._exception).__name__ if self._exception is not None else ' returned ' + type(self._result).__name__
        return '<Future at 0x7f0000000000 state=%s>' % state
class Executor:
    # A thread takes the tasks one after the other; there are at most as many threads as workers.
    def _setup(self, workers, prefix, initializer, initargs):
        if workers <= 0:
            raise ValueError('max_workers must be greater than 0')
        if initializer is not None and not callable(initializer):
            raise TypeError('initializer must be a callable')
        self._max_workers, self._prefix, self._begin = workers, prefix, (initializer, tuple(initargs))
        self._tasks, self._threads, self._idle, self._closed, self._broken = [], [], 0, False, None
    def submit(self, fn, /, *args, **kwargs):
        if self._broken is not None:
            raise self._broken
        if self._closed:
            raise RuntimeError('cannot schedule new futures after shutdown')
        if self._stop not in _threading._before_end:
            _threading._before_end.append(self._stop)
        f = Future()
        self._tasks.append((f, fn, args, kwargs))
        if self._idle >= len(self._tasks):
            _threading._changed()
        elif len(self._threads) < self._max_workers:
            t = _threading.Thread(name='%s_%d' % (self._prefix, len(self._threads)), target=self._work, daemon=False)
            self._threads.append(t)
            t.start()
        return f
    def _next(self):
        # The next task; None at the end.
        while True:
            self._idle += 1
            _threading._await(lambda: self._tasks or self._closed)
            self._idle -= 1
            if not self._tasks:
                return None
            task = self._tasks.pop(0)
            if task[0].set_running_or_notify_cancel():
                return task
    def map(self, fn, *iterables, timeout=None, chunksize=1):
        end = None if timeout is None else _time.monotonic() + timeout
        return _results([self.submit(fn, *args) for args in zip(*iterables)], end)
    def _stop(self):
        self._closed = True
        _threading._changed()
    def shutdown(self, wait=True, *, cancel_futures=False):
        self._stop()
        if cancel_futures:
            tasks, self._tasks = self._tasks, []
            for task in tasks:
                task[0].cancel()
        if wait:
            for t in self._threads:
                t.join()
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.shutdown()
        return False
def _results(futures, end):
    try:
        futures.reverse()
        while futures:
            f = futures.pop()
            yield f.result() if end is None else f.result(end - _time.monotonic())
    finally:
        for f in futures:
            f.cancel()
class ThreadPoolExecutor(Executor):
    _count = 0
    def __init__(self, max_workers=None, thread_name_prefix='', initializer=None, initargs=()):
        prefix = thread_name_prefix or 'ThreadPoolExecutor-%d' % ThreadPoolExecutor._count
        if not thread_name_prefix:
            ThreadPoolExecutor._count += 1
        self._setup(min(32, (_os.cpu_count() or 1) + 4) if max_workers is None else max_workers, prefix, initializer, initargs)
    def _work(self):
        initializer, initargs = self._begin
        if initializer is not None:
            initializer(*initargs)
        while True:
            task = self._next()
            if task is None:
                break
            f, fn, args, kwargs = task
            try:
                result = fn(*args, **kwargs)
            except BaseException as e:
                f.set_exception(e)
            else:
                f.set_result(result)
class ProcessPoolExecutor(Executor):
    # Each thread has a process that computes its tasks.
    def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
        self._setup(_os.cpu_count() or 1 if max_workers is None else max_workers, 'ProcessPoolExecutor', initializer, initargs)
        self._most = max_tasks_per_child
    def _fork(self):
        import multiprocessing
        ours, theirs = multiprocessing.Pipe()
        p = multiprocessing.Process(target=self._serve, args=(ours, theirs))
        p.daemon = True
        p.start()
        theirs.close()
        return p, ours
    def _serve(self, ours, theirs):
        from multiprocessing.pool import _serve
        ours.close()
        _serve(theirs, *self._begin, self._most)
    def _work(self):
        from multiprocessing.pool import _error
        from concurrent.futures.process import BrokenProcessPool
        process, connection = self._fork()
        done = 0
        while True:
            task = self._next()
            if task is None:
                break
            f, fn, args, kwargs = task
            if self._broken is not None:
                f.set_exception(self._broken)
                continue
            try:
                connection.send((fn, args, kwargs))
                good, value = connection.recv()
            except (EOFError, OSError):
                self._broken = BrokenProcessPool('A process in the process pool was terminated abruptly while the future was running or pending.')
                f.set_exception(self._broken)
                continue
            except Exception as e:
                f.set_exception(e)
                continue
            if good:
                f.set_result(value)
            else:
                error = _error(value)
                f.set_exception(error)
            done += 1
            if done == self._most:
                connection.close()
                process.join()
                process, connection = self._fork()
                done = 0
        try:
            connection.send(None)
        except OSError:
            pass
        connection.close()
        process.join()
    def map(self, fn, *iterables, timeout=None, chunksize=1):
        if chunksize < 1:
            raise ValueError('chunksize must be >= 1.')
        from multiprocessing.pool import _chunk
        items = list(zip(*iterables))
        parts = [items[i:i + chunksize] for i in range(0, len(items), chunksize)]
        return _flat(super().map(_chunk, [fn] * len(parts), parts, [True] * len(parts), timeout=timeout))
def _flat(parts):
    for part in parts:
        for x in part:
            yield x
def as_completed(fs, timeout=None):
    end = None if timeout is None else _time.monotonic() + timeout
    fs = list(dict.fromkeys(fs))
    total = len(fs)
    while fs:
        left = None if end is None else max(0, end - _time.monotonic())
        if not _threading._await(lambda: any([f.done() for f in fs]), left):
            raise TimeoutError('%d (of %d) futures unfinished' % (len(fs), total))
        ready = [f for f in fs if f.done()]
        fs = [f for f in fs if not f.done()]
        for f in ready:
            yield f
class DoneAndNotDoneFutures(tuple):
    done = property(lambda self: self[0])
    not_done = property(lambda self: self[1])
    def __repr__(self):
        return 'DoneAndNotDoneFutures(done=%r, not_done=%r)' % (self[0], self[1])
def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    fs = set(fs)
    def enough():
        done = [f for f in fs if f.done()]
        if len(done) == len(fs) or return_when == FIRST_COMPLETED and done:
            return True
        return return_when == FIRST_EXCEPTION and any([not f.cancelled() and f._exception is not None for f in done])
    _threading._await(enough, timeout)
    return DoneAndNotDoneFutures(({f for f in fs if f.done()}, {f for f in fs if not f.done()}))
