class OrderedDict(dict):
    def popitem(self, last=True):
        if not self:
            raise KeyError('dictionary is empty')
        k = list(self)[-1 if last else 0]
        return k, self.pop(k)
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            items = list(self.items())
            self.clear()
            self[key] = value
            for k, v in items:
                self[k] = v
    def __repr__(self):
        return 'OrderedDict(' + (repr(list(self.items())) if self else '') + ')'
class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory
    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value
    def __repr__(self):
        return 'defaultdict(' + repr(self.default_factory) + ', ' + repr(dict(self)) + ')'
class Counter(dict):
    def __init__(self, it=None, **kwargs):
        super().__init__()
        self.update(it, **kwargs)
    def __missing__(self, key):
        return 0
    def update(self, it=None, **kwargs):
        if it is not None:
            if isinstance(it, dict):
                for k, v in it.items():
                    self[k] = self.get(k, 0) + v
            else:
                for x in it:
                    self[x] = self.get(x, 0) + 1
        for k, v in kwargs.items():
            self[k] = self.get(k, 0) + v
    def subtract(self, it):
        for k, v in (it.items() if isinstance(it, dict) else [(x, 1) for x in it]):
            self[k] = self.get(k, 0) - v
    def most_common(self, n=None):
        items = sorted(self.items(), key=lambda p: p[1], reverse=True)
        return items if n is None else items[:n]
    def elements(self):
        for k, v in self.items():
            for _ in range(v):
                yield k
    def total(self):
        return sum(self.values())
    def __and__(self, other):
        r = Counter()
        for k in list(self):
            n = min(self[k], other[k])
            if n > 0:
                r[k] = n
        return r
    def __or__(self, other):
        r = Counter()
        for k in list(self) + [k for k in other if k not in self]:
            n = max(self[k], other[k])
            if n > 0:
                r[k] = n
        return r
    def __pos__(self):
        return self + Counter()
    def copy(self):
        return Counter(self)
    def __add__(self, other):
        r = Counter()
        for k in list(self) + [k for k in other if k not in self]:
            if self[k] + other[k] > 0:
                r[k] = self[k] + other[k]
        return r
    def __sub__(self, other):
        r = Counter()
        for k in list(self):
            if self[k] - other[k] > 0:
                r[k] = self[k] - other[k]
        return r
    def __repr__(self):
        if not self:
            return 'Counter()'
        return 'Counter({' + ', '.join(['%r: %r' % p for p in self.most_common()]) + '})'
class deque:
    def __init__(self, it=(), maxlen=None):
        self._d = []
        self.maxlen = maxlen
        self.extend(it)
    def append(self, x):
        self._d.append(x)
        if self.maxlen is not None and len(self._d) > self.maxlen:
            self._d.pop(0)
    def appendleft(self, x):
        self._d.insert(0, x)
        if self.maxlen is not None and len(self._d) > self.maxlen:
            self._d.pop()
    def extend(self, it):
        for x in it:
            self.append(x)
    def extendleft(self, it):
        for x in it:
            self.appendleft(x)
    def pop(self):
        if not self._d:
            raise IndexError('pop from an empty deque')
        return self._d.pop()
    def popleft(self):
        if not self._d:
            raise IndexError('pop from an empty deque')
        return self._d.pop(0)
    def rotate(self, n=1):
        for _ in range(n % len(self._d) if self._d else 0):
            self._d.insert(0, self._d.pop())
    def clear(self):
        self._d.clear()
    def copy(self):
        return deque(self._d, self.maxlen)
    def count(self, x):
        return self._d.count(x)
    def index(self, x):
        return self._d.index(x)
    def insert(self, i, x):
        self._d.insert(i, x)
    def remove(self, x):
        if x not in self._d:
            raise ValueError('deque.remove(x): x not in deque')
        self._d.remove(x)
    def reverse(self):
        self._d.reverse()
    def __delitem__(self, i):
        del self._d[i]
    def __contains__(self, x):
        return x in self._d
    def __add__(self, other):
        return deque(self._d + other._d, self.maxlen)
    def __reversed__(self):
        return reversed(self._d)
    def __len__(self):
        return len(self._d)
    def __iter__(self):
        return iter(self._d)
    def __getitem__(self, i):
        return self._d[i]
    def __setitem__(self, i, v):
        self._d[i] = v
    def __eq__(self, other):
        return isinstance(other, deque) and self._d == other._d
    def __repr__(self):
        return 'deque(' + repr(self._d) + (')' if self.maxlen is None else ', maxlen=%d)' % self.maxlen)
def namedtuple(typename, field_names, *, defaults=(), rename=False):
    if isinstance(field_names, str):
        field_names = field_names.replace(',', ' ').split()
    fields = tuple(field_names)
    defaults = tuple(defaults or ())
    def __new__(cls, *args, **kwargs):
        values = list(args)
        if len(values) > len(fields):
            raise TypeError('%s.__new__() takes %d positional arguments but %d were given' % (typename, len(fields) + 1, len(values) + 1))
        missing = []
        for i in range(len(values), len(fields)):
            f = fields[i]
            if f in kwargs:
                values.append(kwargs.pop(f))
            elif i >= len(fields) - len(defaults):
                values.append(defaults[i - len(fields)])
            else:
                missing.append(f)
        if missing:
            raise TypeError('%s.__new__() missing %d required positional argument%s: %s' % (typename, len(missing), 's' if len(missing) > 1 else '', ' and '.join(map(repr, missing))))
        if kwargs:
            raise TypeError('%s.__new__() got an unexpected keyword argument %r' % (typename, list(kwargs)[0]))
        return _tuple_of(cls, values)
    def __repr__(self):
        return typename + '(' + ', '.join([f + '=' + repr(v) for f, v in zip(fields, self)]) + ')'
    def _replace(self, **kwargs):
        return type(self)(*[kwargs.pop(f, v) for f, v in zip(fields, self)])
    def _asdict(self):
        return dict(zip(fields, self))
    attrs = {'__new__': __new__, '__repr__': __repr__, '_replace': _replace, '_asdict': _asdict, '_fields': fields, '__match_args__': fields,
             '_make': classmethod(lambda cls, it: cls(*it))}
    for i, f in enumerate(fields):
        attrs[f] = property(lambda self, i=i: self[i])
    return type(typename, (tuple,), attrs)
class UserDict(dict):
    pass
class UserList(list):
    pass
class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]
    def __getitem__(self, key):
        for m in self.maps:
            if key in m:
                return m[key]
        raise KeyError(key)
    def get(self, key, default=None):
        for m in self.maps:
            if key in m:
                return m[key]
        return default
    def __contains__(self, key):
        return any([key in m for m in self.maps])
    def __setitem__(self, key, value):
        self.maps[0][key] = value
    def __iter__(self):
        d = {}
        for m in reversed(self.maps):
            d.update(m)
        return iter(d)
    def __len__(self):
        return len(list(self))
    def keys(self):
        return list(self)
    def items(self):
        return [(k, self[k]) for k in self]
    def values(self):
        return [self[k] for k in self]
    def new_child(self, m=None):
        return ChainMap(m if m is not None else {}, *self.maps)
