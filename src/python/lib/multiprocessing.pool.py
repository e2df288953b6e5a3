import os, sys, threading as _threading, multiprocessing as _mp
from multiprocessing import TimeoutError, RemoteTraceback, MaybeEncodingError
class _Worker(_mp.Process):
    _word = 'ForkPoolWorker'
def _outcome(f, args, kwds):
    try:
        return True, f(*args, **kwds)
    except Exception as e:
        return False, (e, _traceback(e))
def _send_outcome(connection, outcome):
    try:
        connection.send(outcome)
    except (OSError, EOFError):
        raise
    except Exception as e:
        if outcome[0]:
            connection.send((False, (MaybeEncodingError(repr(e), repr(outcome[1])), '')))
        else:
            connection.send((False, (RuntimeError(str(outcome[1][0])), outcome[1][1])))
def _error(found):
    error, text = found
    error.__cause__ = RemoteTraceback(text)
    return error
def _serve(connection, initializer, initargs, most):
    if initializer is not None:
        initializer(*initargs)
    done = 0
    while most is None or done < most:
        try:
            task = connection.recv()
        except EOFError:
            break
        if task is None:
            break
        _send_outcome(connection, _outcome(*task))
        done += 1
def _chunk(f, items, star):
    return [f(*x) if star else f(x) for x in items]
class AsyncResult:
    def __init__(self, pool, callback=None, error_callback=None):
        self._done, self._callback, self._error_callback = _threading.Event(), callback, error_callback
        self._good = self._value = None
    def _set(self, good, value):
        self._good, self._value = good, value
        if good and self._callback is not None:
            self._callback(value)
        if not good and self._error_callback is not None:
            self._error_callback(value)
        self._done.set()
    def ready(self):
        return self._done.is_set()
    def successful(self):
        if not self.ready():
            raise ValueError('%r not ready' % (self,))
        return self._good
    def wait(self, timeout=None):
        self._done.wait(timeout)
    def get(self, timeout=None):
        self.wait(timeout)
        if not self.ready():
            raise TimeoutError
        if not self._good:
            raise self._value
        return self._value
ApplyResult = AsyncResult
class Pool:
    # Each worker process has a thread here that gives it one task after the other.
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        if processes is None:
            processes = os.cpu_count() or 1
        if processes < 1:
            raise ValueError('Number of processes must be at least 1')
        if initializer is not None and not callable(initializer):
            raise TypeError('initializer must be a callable')
        self._processes, self._start, self._most = processes, (initializer, tuple(initargs)), maxtasksperchild
        self._state, self._tasks, self._open = 'RUN', [], 0
        self._pool = [self._fork() for _ in range(processes)]
        self._handlers = [_threading.Thread(target=self._handle, args=(i,), daemon=True) for i in range(processes)]
        for t in self._handlers:
            t.start()
    def _fork(self):
        ours, theirs = _mp.Pipe()
        w = _Worker(target=self._work, args=(ours, theirs), daemon=True)
        w._connection = ours
        w.start()
        theirs.close()
        return w
    def _work(self, ours, theirs):
        ours.close()
        _serve(theirs, *self._start, self._most)
    def _handle(self, i):
        done = 0
        while True:
            _threading._await(lambda: self._tasks or self._state != 'RUN')
            if self._state == 'TERMINATE' or not self._tasks:
                break
            task, give = self._tasks.pop(0)
            worker = self._pool[i]
            try:
                worker._connection.send(task)
            except OSError:
                self._tasks.insert(0, (task, give))
                self._replace(i)
                done = 0
                continue
            except Exception as e:
                give(False, e)
                continue
            try:
                good, value = worker._connection.recv()
            except EOFError:
                # The worker died. As in CPython, its task is lost and another worker takes its place.
                if self._state != 'TERMINATE':
                    self._replace(i)
                    done = 0
                continue
            give(good, value if good else _error(value))
            done += 1
            if done == self._most:
                self._replace(i)
                done = 0
        worker = self._pool[i]
        try:
            if self._state != 'TERMINATE':
                worker._connection.send(None)
        except OSError:
            pass
        worker._connection.close()
    def _replace(self, i):
        self._pool[i]._connection.close()
        self._pool[i].join()
        self._pool[i] = self._fork()
    def _submit(self, task, give):
        if self._state != 'RUN':
            raise ValueError('Pool not running')
        self._tasks.append((task, give))
        _threading._changed()
    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        result = AsyncResult(self, callback, error_callback)
        self._submit((func, tuple(args), dict(kwds)), result._set)
        return result
    def apply(self, func, args=(), kwds={}):
        return self.apply_async(func, args, kwds).get()
    def _map(self, func, iterable, star, chunksize, callback, error_callback):
        items = list(iterable)
        if chunksize is None:
            chunksize, extra = divmod(len(items), self._processes * 4)
            if extra:
                chunksize += 1
        result, values = AsyncResult(self, callback, error_callback), [None] * len(items)
        if self._state != 'RUN':
            raise ValueError('Pool not running')
        if not items:
            result._set(True, [])
        state = [len(items)]
        def give(at, n):
            def put(good, value):
                state[0] -= n
                if good:
                    values[at:at + n] = value
                elif len(state) == 1:
                    state.append(value)
                if not state[0]:
                    result._set(len(state) == 1, values if len(state) == 1 else state[1])
            return put
        for at in range(0, len(items), max(chunksize, 1)):
            part = items[at:at + chunksize]
            self._submit((_chunk, (func, part, star), {}), give(at, len(part)))
        return result
    def map(self, func, iterable, chunksize=None):
        return self._map(func, iterable, False, chunksize, None, None).get()
    def starmap(self, func, iterable, chunksize=None):
        return self._map(func, iterable, True, chunksize, None, None).get()
    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self._map(func, iterable, False, chunksize, callback, error_callback)
    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self._map(func, iterable, True, chunksize, callback, error_callback)
    def imap(self, func, iterable, chunksize=1):
        results = self._each(func, iterable, chunksize)
        return _ordered(results)
    def _each(self, func, iterable, chunksize):
        items = list(iterable)
        parts = [items[at:at + chunksize] for at in range(0, len(items), chunksize)]
        return [self.apply_async(_chunk, (func, part, False)) for part in parts]
    def imap_unordered(self, func, iterable, chunksize=1):
        return _as_ready(self._each(func, iterable, chunksize))
    def close(self):
        if self._state == 'RUN':
            self._state = 'CLOSE'
            _threading._changed()
    def terminate(self):
        self._state, self._tasks = 'TERMINATE', []
        _threading._changed()
        for w in self._pool:
            w.terminate()
        for w in self._pool:
            w.join()
    def join(self):
        if self._state == 'RUN':
            raise ValueError('Pool is still running')
        for t in self._handlers:
            t.join()
        for w in self._pool:
            w.join()
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.terminate()
def _ordered(results):
    for r in results:
        for value in r.get():
            yield value
def _as_ready(results):
    results = list(results)
    while results:
        _threading._await(lambda: any([r.ready() for r in results]))
        for r in list(results):
            if r.ready():
                results.remove(r)
                for value in r.get():
                    yield value
class ThreadPool(Pool):
    def _fork(self):
        return None
    def _handle(self, i):
        if self._start[0] is not None:
            self._start[0](*self._start[1])
        while True:
            _threading._await(lambda: self._tasks or self._state != 'RUN')
            if self._state == 'TERMINATE' or not self._tasks:
                break
            (f, args, kwds), give = self._tasks.pop(0)
            try:
                good, value = True, f(*args, **kwds)
            except Exception as e:
                good, value = False, e
            give(good, value)
    def terminate(self):
        self._state, self._tasks = 'TERMINATE', []
        _threading._changed()
    def join(self):
        for t in self._handlers:
            t.join()
