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
            return False
        return False
def contextmanager(f):
    def make(*args, **kwargs):
        return _Manager(f(*args, **kwargs))
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
