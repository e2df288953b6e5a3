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
        f.__wrapped__ = wrapped
        return f
    return decorate
class _Cached:
    def __init__(self, f):
        self.f, self.cache, self.hits, self.misses = f, {}, 0, 0
        self.__name__ = f.__name__
    def __call__(self, *args, **kwargs):
        key = (args, tuple(kwargs.items()))
        if key in self.cache:
            self.hits += 1
            return self.cache[key]
        self.misses += 1
        value = self.cache[key] = self.f(*args, **kwargs)
        return value
    def __get__(self, instance, owner):
        return partial(self, instance)
    def cache_clear(self):
        self.cache.clear()
    def cache_info(self):
        return 'CacheInfo(hits=%d, misses=%d, maxsize=None, currsize=%d)' % (self.hits, self.misses, len(self.cache))
def cache(f):
    return _Cached(f)
def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _Cached(maxsize)
    return _Cached
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
