import _host
__version__ = _host.version('sklearn')
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate sklearn.' + name)
