def isfunction(x):
    return type(x).__name__ == 'function'
def isclass(x):
    return isinstance(x, type)
def ismethod(x):
    return type(x).__name__ == 'method'
def isgenerator(x):
    return type(x).__name__ == 'generator'
def iscoroutine(x):
    return type(x).__name__ == 'coroutine'
def getdoc(x):
    import textwrap
    d = getattr(x, '__doc__', None)
    if d is None:
        return None
    first, _, rest = d.partition('\n')
    return (first.strip() + ('\n' + textwrap.dedent(rest) if rest else '')).strip()
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate inspect.' + name)
