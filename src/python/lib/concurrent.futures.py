class Future:
    def __init__(self, f, args, kwargs):
        self._e = self._v = None
        try:
            self._v = f(*args, **kwargs)
        except Exception as e:
            self._e = e
    def result(self, timeout=None):
        if self._e is not None:
            raise self._e
        return self._v
    def done(self):
        return True
    def exception(self):
        return self._e
class Executor:
    def __init__(self, max_workers=None, **kwargs):
        self._max_workers = max_workers
    def submit(self, f, *args, **kwargs):
        return Future(f, args, kwargs)
    def map(self, f, *its, timeout=None, chunksize=1):
        return map(f, *its)
    def shutdown(self, wait=True):
        pass
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
class ThreadPoolExecutor(Executor): pass
class ProcessPoolExecutor(Executor):
    def map(self, f, *its, timeout=None, chunksize=1):
        import multiprocessing
        return iter(multiprocessing._spread(f, zip(*its), self._max_workers, True, None))
def as_completed(fs, timeout=None):
    return iter(list(fs))
def wait(fs, timeout=None):
    return set(fs), set()
