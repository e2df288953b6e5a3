import os
def cpu_count():
    return os.cpu_count()
class Pool:
    def __init__(self, processes=None, *args, **kwargs):
        self._n = processes
    def map(self, f, it, chunksize=None):
        return [f(x) for x in it]
    def imap(self, f, it, chunksize=None):
        for x in it:
            yield f(x)
    imap_unordered = imap
    def starmap(self, f, it):
        return [f(*a) for a in it]
    def apply(self, f, args=(), kwds={}):
        return f(*args, **kwds)
    def close(self):
        pass
    join = terminate = close
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate multiprocessing.' + name)
