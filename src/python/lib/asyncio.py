import time as _time
from collections import deque as _deque
class CancelledError(BaseException): pass
CancelledError.__module__ = 'asyncio.exceptions'
TimeoutError = TimeoutError
class InvalidStateError(Exception): pass
class QueueEmpty(Exception): pass
class QueueFull(Exception): pass
FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = 'FIRST_COMPLETED', 'FIRST_EXCEPTION', 'ALL_COMPLETED'
class Future:
    def __init__(self, *, loop=None):
        self._state, self._value, self._error, self._calls = 'PENDING', None, None, []
    def done(self):
        return self._state != 'PENDING'
    def cancelled(self):
        return self._state == 'CANCELLED'
    def result(self):
        if self._state == 'PENDING':
            raise InvalidStateError('Result is not set.')
        if self._state == 'CANCELLED':
            raise CancelledError()
        if self._error is not None:
            raise self._error
        return self._value
    def exception(self):
        if self._state == 'CANCELLED':
            raise CancelledError()
        return self._error
    def _finish(self, state, value, error):
        if self._state != 'PENDING':
            return
        self._state, self._value, self._error = state, value, error
        calls, self._calls = self._calls, []
        for f in calls:
            _loop.call_soon(f, self)
    def set_result(self, value):
        self._finish('FINISHED', value, None)
    def set_exception(self, error):
        self._finish('FINISHED', None, error)
    def cancel(self, msg=None):
        if self.done():
            return False
        self._finish('CANCELLED', None, None)
        return True
    def add_done_callback(self, f):
        if self.done():
            _loop.call_soon(f, self)
        else:
            self._calls.append(f)
    def __await__(self):
        if not self.done():
            yield self
        return self.result()
class Task(Future):
    _count = 0
    def __init__(self, coro, *, loop=None, name=None):
        super().__init__()
        Task._count += 1
        self._coro, self._waits, self._cancel, self._name = coro, None, False, name or 'Task-%d' % Task._count
        _loop.call_soon(self._step, None)
    def get_name(self):
        return self._name
    def set_name(self, name):
        self._name = str(name)
    def cancel(self, msg=None):
        if self.done():
            return False
        self._cancel = True
        if self._waits is not None:
            self._waits.cancel()
        else:
            _loop.call_soon(self._step, None)
        return True
    def _step(self, waited):
        if self.done():
            return
        self._waits = None
        _loop._current = self
        try:
            if self._cancel:
                self._cancel = False
                r = self._coro.throw(CancelledError())
            else:
                r = self._coro.send(None)
        except StopIteration as e:
            self.set_result(e.value)
        except CancelledError:
            self._finish('CANCELLED', None, None)
        except (KeyboardInterrupt, SystemExit) as e:
            self.set_exception(e)
            raise
        except BaseException as e:
            self.set_exception(e)
        else:
            if isinstance(r, Future):
                self._waits = r
                r.add_done_callback(self._step)
            else:
                _loop.call_soon(self._step, None)
        finally:
            _loop._current = None
class _Loop:
    def __init__(self):
        self._ready, self._timers, self._n, self._current = _deque(), [], 0, None
        self._outside, self._executor = 0, None
    def time(self):
        return _time.monotonic()
    def call_soon(self, f, *args):
        self._ready.append((f, args))
    def call_later(self, delay, f, *args):
        return self.call_at(self.time() + delay, f, *args)
    def call_at(self, when, f, *args):
        self._n += 1
        t = [when, self._n, f, args]
        i = len(self._timers)
        while i and (self._timers[i - 1][0], self._timers[i - 1][1]) > (when, self._n):
            i -= 1
        self._timers.insert(i, t)
        return _Handle(t)
    def create_task(self, coro, *, name=None):
        return Task(coro, name=name)
    def create_future(self):
        return Future()
    def call_soon_threadsafe(self, f, *args):
        import threading
        self.call_soon(f, *args)
        threading._changed()
    def run_in_executor(self, executor, f, *args):
        import concurrent.futures
        if executor is None:
            if self._executor is None:
                self._executor = concurrent.futures.ThreadPoolExecutor(thread_name_prefix='asyncio')
            executor = self._executor
        fut = Future()
        self._outside += 1
        def back(done):
            self._outside -= 1
            e = done.exception()
            self.call_soon_threadsafe(*((fut.set_result, done.result()) if e is None else (fut.set_exception, e)))
        executor.submit(f, *args).add_done_callback(back)
        return fut
    def run_until_complete(self, what):
        task = ensure_future(what)
        while not task.done():
            if not self._ready:
                while self._timers and self._timers[0][2] is None:
                    self._timers.pop(0)
                if not self._timers and not self._outside:
                    raise RuntimeError('sandbatch: the event loop waits for something that never happens')
                rest = self._timers[0][0] - self.time() if self._timers else None
                if self._outside:
                    import threading
                    threading._await(lambda: self._ready, rest)
                elif rest > 0:
                    _time.sleep(rest)
            now = self.time()
            while self._timers and self._timers[0][0] <= now:
                t = self._timers.pop(0)
                if t[2] is not None:
                    self._ready.append((t[2], t[3]))
            for _ in range(len(self._ready)):
                f, args = self._ready.popleft()
                f(*args)
        return task.result()
    def run_forever(self):
        self.run_until_complete(Future())
    def is_running(self):
        return True
    def close(self):
        pass
    stop = close
class _Handle:
    def __init__(self, t):
        self._t = t
    def cancel(self):
        self._t[2] = None
_loop = _Loop()
def get_event_loop():
    return _loop
get_running_loop = new_event_loop = get_event_loop
def set_event_loop(loop):
    pass
def iscoroutine(x):
    return type(x).__name__ == 'coroutine'
def iscoroutinefunction(f):
    return False
def ensure_future(x, *, loop=None):
    if isinstance(x, Future):
        return x
    if not hasattr(x, 'send'):
        x = _awaitable(x)
    return Task(x)
def create_task(coro, *, name=None):
    return Task(coro, name=name)
def current_task():
    return _loop._current
def all_tasks():
    return set()
def run(main, *, debug=None):
    if type(main).__name__ != 'coroutine':
        raise ValueError('a coroutine was expected, got %r' % (main,))
    _loop._ready.clear()
    _loop._timers.clear()
    return _loop.run_until_complete(main)
class Runner:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
    def run(self, coro):
        return run(coro)
async def sleep(delay, result=None):
    if delay <= 0:
        await _turn()
        return result
    f = Future()
    timer = _loop.call_later(delay, f.set_result, None)
    try:
        await f
    finally:
        timer.cancel()
    return result
def _turn():
    yield None
def gather(*things, return_exceptions=False):
    tasks = [ensure_future(t) for t in things]
    out = _Gathering(tasks)
    left = [len(tasks)]
    if not tasks:
        out.set_result([])
    def ended(t):
        left[0] -= 1
        if out.done():
            return
        if not return_exceptions:
            if t.cancelled():
                out.set_exception(CancelledError())
                return
            if t._error is not None:
                out.set_exception(t._error)
                return
        if left[0] == 0:
            out.set_result([CancelledError() if t.cancelled() else t._error if t._error is not None else t._value for t in tasks])
    for t in tasks:
        t.add_done_callback(ended)
    return out
class _Gathering(Future):
    def __init__(self, tasks):
        super().__init__()
        self._tasks = tasks
    def cancel(self, msg=None):
        for t in self._tasks:
            t.cancel()
        return super().cancel()
async def wait_for(thing, timeout):
    task = ensure_future(thing)
    if timeout is None:
        return await task
    out = Future()
    def late():
        if not out.done():
            out.set_result(True)
    timer = _loop.call_later(timeout, late)
    task.add_done_callback(lambda t: None if out.done() else out.set_result(False))
    try:
        if await out:
            task.cancel()
            await _turn()
            raise TimeoutError()
    finally:
        timer.cancel()
    return task.result()
class timeout:
    def __init__(self, delay):
        self._delay = delay
    async def __aenter__(self):
        task = current_task()
        self._fired = False
        def late():
            self._fired = True
            task.cancel()
        self._timer = _loop.call_later(self._delay, late)
        return self
    async def __aexit__(self, kind, value, tb):
        self._timer.cancel()
        if self._fired and kind is CancelledError:
            raise TimeoutError() from None
        return False
async def wait(things, *, timeout=None, return_when=ALL_COMPLETED):
    tasks = [ensure_future(t) for t in things]
    out = Future()
    def check(t):
        if out.done():
            return
        ended = [t for t in tasks if t.done()]
        if len(ended) == len(tasks) or return_when == FIRST_COMPLETED and ended or return_when == FIRST_EXCEPTION and any([t._error is not None for t in ended]):
            out.set_result(None)
    for t in tasks:
        t.add_done_callback(check)
    if timeout is not None:
        _loop.call_later(timeout, lambda: None if out.done() else out.set_result(None))
    await out
    return {t for t in tasks if t.done()}, {t for t in tasks if not t.done()}
def as_completed(things, *, timeout=None):
    tasks = [ensure_future(t) for t in things]
    q = Queue()
    for t in tasks:
        t.add_done_callback(q.put_nowait)
    async def one():
        return (await q.get()).result()
    for _ in tasks:
        yield one()
async def shield(thing):
    return await thing
async def to_thread(f, *args, **kwargs):
    return await _loop.run_in_executor(None, lambda: f(*args, **kwargs))
class TaskGroup:
    async def __aenter__(self):
        self._tasks, self._errors, self._parent, self._aborts = [], [], current_task(), False
        return self
    def create_task(self, coro, *, name=None):
        t = Task(coro, name=name)
        self._tasks.append(t)
        t.add_done_callback(self._ended)
        return t
    def _ended(self, t):
        if t.cancelled() or t.exception() is None:
            return
        self._errors.append(t.exception())
        if not self._aborts:
            self._abort()
            if not self._leaving:
                self._parent.cancel()
    _leaving = False
    def _abort(self):
        self._aborts = True
        for t in self._tasks:
            if not t.done():
                t.cancel()
    async def __aexit__(self, kind, value, tb):
        self._leaving = True
        if kind is not None and not self._aborts:
            self._abort()
        while True:
            left = [t for t in self._tasks if not t.done()]
            if not left:
                break
            await wait(left)
        # The callbacks of the last tasks run.
        await sleep(0)
        if kind is not None and not issubclass(kind, CancelledError):
            self._errors.append(value)
        if self._errors:
            raise BaseExceptionGroup('unhandled errors in a TaskGroup', self._errors) from None
        return False
class Event:
    def __init__(self):
        self._set, self._waiting = False, []
    def is_set(self):
        return self._set
    def set(self):
        self._set = True
        for f in self._waiting:
            if not f.done():
                f.set_result(True)
        self._waiting = []
    def clear(self):
        self._set = False
    async def wait(self):
        if not self._set:
            f = Future()
            self._waiting.append(f)
            await f
        return True
class Semaphore:
    def __init__(self, value=1):
        self._value, self._waiting = value, _deque()
    def locked(self):
        return self._value == 0
    async def acquire(self):
        while self._value <= 0:
            f = Future()
            self._waiting.append(f)
            await f
        self._value -= 1
        return True
    def release(self):
        self._value += 1
        while self._waiting:
            f = self._waiting.popleft()
            if not f.done():
                f.set_result(None)
                break
    async def __aenter__(self):
        await self.acquire()
    async def __aexit__(self, *exc):
        self.release()
BoundedSemaphore = Semaphore
class Lock(Semaphore):
    def __init__(self):
        super().__init__(1)
class Queue:
    def __init__(self, maxsize=0):
        self.maxsize, self._items, self._getters, self._putters = maxsize, _deque(), _deque(), _deque()
        self._open, self._joining = 0, []
    def qsize(self):
        return len(self._items)
    def empty(self):
        return not self._items
    def full(self):
        return 0 < self.maxsize <= len(self._items)
    def _wake(self, waiting):
        while waiting:
            f = waiting.popleft()
            if not f.done():
                f.set_result(None)
                return
    def put_nowait(self, x):
        if self.full():
            raise QueueFull
        self._items.append(x)
        self._open += 1
        self._wake(self._getters)
    def get_nowait(self):
        if not self._items:
            raise QueueEmpty
        x = self._items.popleft()
        self._wake(self._putters)
        return x
    async def put(self, x):
        while self.full():
            f = Future()
            self._putters.append(f)
            await f
        self.put_nowait(x)
    async def get(self):
        while not self._items:
            f = Future()
            self._getters.append(f)
            await f
        return self.get_nowait()
    def task_done(self):
        self._open -= 1
        if self._open == 0:
            for f in self._joining:
                if not f.done():
                    f.set_result(None)
            self._joining = []
    async def join(self):
        if self._open:
            f = Future()
            self._joining.append(f)
            await f
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate asyncio.' + name)
