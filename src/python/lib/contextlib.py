class _Manager:
    def __init__(self, gen):
        self.gen = gen
    def __enter__(self):
        return next(self.gen)
    def __exit__(self, kind, value, tb):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                pass
            else:
                raise RuntimeError("generator didn't stop")
            return False
        trace = list(getattr(value, '__trace__', ()))
        try:
            self.gen.throw(value)
        except StopIteration as e:
            return e is not value
        except BaseException as e:
            if e is value:
                # Its way through the generator is not shown.
                value.__trace__ = trace
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")
    def __call__(self, f):
        def inner(*args, **kwargs):
            with self._make():
                return f(*args, **kwargs)
        inner.__name__ = f.__name__
        return inner
def contextmanager(f):
    def make(*args, **kwargs):
        m = _Manager(f(*args, **kwargs))
        m._make = lambda: make(*args, **kwargs)
        return m
    make.__name__ = f.__name__
    return make
class suppress:
    def __init__(self, *kinds):
        self.kinds = kinds
    def __enter__(self):
        pass
    def __exit__(self, kind, value, tb):
        return kind is not None and issubclass(kind, self.kinds)
class closing:
    def __init__(self, thing):
        self.thing = thing
    def __enter__(self):
        return self.thing
    def __exit__(self, *exc):
        self.thing.close()
class nullcontext:
    def __init__(self, value=None):
        self.value = value
    def __enter__(self):
        return self.value
    def __exit__(self, *exc):
        pass
class redirect_stdout:
    def __init__(self, target):
        self.target = target
    def __enter__(self):
        import sys
        self.old = sys.stdout
        sys.stdout = self.target
        return self.target
    def __exit__(self, *exc):
        import sys
        sys.stdout = self.old
class redirect_stderr(redirect_stdout):
    def __enter__(self):
        import sys
        self.old = sys.stderr
        sys.stderr = self.target
        return self.target
    def __exit__(self, *exc):
        import sys
        sys.stderr = self.old
class ExitStack:
    def __init__(self):
        self._calls = []
    def enter_context(self, cm):
        value = cm.__enter__()
        self._calls.append(cm.__exit__)
        return value
    def push(self, exit):
        self._calls.append(exit.__exit__ if hasattr(exit, '__exit__') else exit)
        return exit
    def callback(self, f, *args, **kwargs):
        def call(*exc):
            f(*args, **kwargs)
        self._calls.append(call)
        return f
    def pop_all(self):
        s = ExitStack()
        s._calls, self._calls = self._calls, []
        return s
    def close(self):
        self.__exit__(None, None, None)
    def __enter__(self):
        return self
    def __exit__(self, kind, value, tb):
        error, swallowed = value, False
        while self._calls:
            f = self._calls.pop()
            try:
                if f(None if error is None else type(error), error, None):
                    error, swallowed = None, True
            except BaseException as e:
                error = e
        if error is not None and error is not value:
            raise error
        return swallowed and error is None
class AbstractContextManager:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return None
class ContextDecorator:
    def __call__(self, f):
        def inner(*args, **kwargs):
            with self:
                return f(*args, **kwargs)
        inner.__name__ = f.__name__
        return inner
class _AsyncManager:
    def __init__(self, gen):
        self.gen = gen
    async def __aenter__(self):
        return await self.gen.__anext__()
    async def __aexit__(self, kind, value, tb):
        if kind is None:
            try:
                await self.gen.__anext__()
            except StopAsyncIteration:
                pass
            return False
        try:
            v = self.gen._steps.throw(value)
        except StopIteration:
            return True
        except BaseException as e:
            if e is value:
                return False
            raise
        return False
def asynccontextmanager(f):
    return lambda *args, **kwargs: _AsyncManager(f(*args, **kwargs))
