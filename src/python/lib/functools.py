def reduce(f, it, *initial):
    it = iter(it)
    if initial:
        value = initial[0]
    else:
        try:
            value = next(it)
        except StopIteration:
            raise TypeError('reduce() of empty iterable with no initial value') from None
    for x in it:
        value = f(value, x)
    return value
class partial:
    def __init__(self, func, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords
    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})
def wraps(wrapped):
    def decorate(f):
        f.__name__ = wrapped.__name__
        f.__doc__ = wrapped.__doc__
        f.__wrapped__ = wrapped
        return f
    return decorate
WRAPPER_ASSIGNMENTS = ('__module__', '__name__', '__qualname__', '__doc__')
class _Info(tuple):
    hits, misses, maxsize, currsize = [property(lambda self, i=i: self[i]) for i in range(4)]
    def __repr__(self):
        return 'CacheInfo(hits=%d, misses=%d, maxsize=%s, currsize=%d)' % self
class _Cached:
    def __init__(self, f, maxsize=None):
        self.f, self.cache, self.hits, self.misses, self.maxsize = f, {}, 0, 0, maxsize
        self.__name__, self.__wrapped__, self.__doc__ = f.__name__, f, f.__doc__
    def __call__(self, *args, **kwargs):
        key = (args, tuple(kwargs.items()))
        if key in self.cache:
            self.hits += 1
            if self.maxsize is not None:
                self.cache[key] = self.cache.pop(key)
            return self.cache[key]
        self.misses += 1
        value = self.f(*args, **kwargs)
        if self.maxsize != 0:
            self.cache[key] = value
            if self.maxsize is not None and len(self.cache) > self.maxsize:
                self.cache.pop(next(iter(self.cache)))
        return value
    def __get__(self, instance, owner):
        return partial(self, instance)
    def cache_clear(self):
        self.cache.clear()
        self.hits = self.misses = 0
    def cache_info(self):
        return _Info((self.hits, self.misses, self.maxsize, len(self.cache)))
def cache(f):
    return _Cached(f)
def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _Cached(maxsize, 128)
    return lambda f: _Cached(f, maxsize)
class cached_property:
    def __init__(self, f):
        self.f = f
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = self.f(instance)
        instance.__dict__
        setattr(instance, self.name, value)
        return value
def cmp_to_key(cmp):
    class K:
        def __init__(self, obj):
            self.obj = obj
        def __lt__(self, other):
            return cmp(self.obj, other.obj) < 0
        def __gt__(self, other):
            return cmp(self.obj, other.obj) > 0
    return K
def total_ordering(cls):
    if '__lt__' in cls.__dict__:
        cls.__gt__ = lambda a, b: not (a < b or a == b)
        cls.__le__ = lambda a, b: a < b or a == b
        cls.__ge__ = lambda a, b: not a < b
    elif '__gt__' in cls.__dict__:
        cls.__lt__ = lambda a, b: not (a > b or a == b)
        cls.__ge__ = lambda a, b: a > b or a == b
        cls.__le__ = lambda a, b: not a > b
    return cls
def update_wrapper(f, wrapped, *args):
    return wraps(wrapped)(f)
class partialmethod:
    def __init__(self, f, *args, **kwargs):
        self.f, self.args, self.kwargs = f, args, kwargs
    def __get__(self, instance, owner):
        return partial(self.f, instance, *self.args, **self.kwargs)
class singledispatch:
    def __init__(self, f):
        self._f, self._kinds = f, {}
        self.__name__ = f.__name__
    def register(self, kind, f=None):
        if f is None and not isinstance(kind, type):
            f = kind
            notes = [v for k, v in f.__annotations__.items() if k != 'return']
            if not notes:
                raise TypeError('Invalid first argument to `register()`: %r. Use either `@register(some_class)` or plain `@register` on an annotated function.' % (f,))
            kind = notes[0]
        if f is None:
            return lambda g: self.register(kind, g)
        self._kinds[kind] = f
        return f
    def dispatch(self, kind):
        for k in getattr(kind, '__mro__', (kind,)):
            if k in self._kinds:
                return self._kinds[k]
        for k, f in self._kinds.items():
            if issubclass(kind, k):
                return f
        return self._f
    def __call__(self, *args, **kwargs):
        return self.dispatch(type(args[0]))(*args, **kwargs)
