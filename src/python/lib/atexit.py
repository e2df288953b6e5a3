def register(f, *args, **kwargs):
    _at_exit(lambda: f(*args, **kwargs))
    return f
def unregister(f):
    raise NotImplementedError('sandbatch does not simulate atexit.unregister')
