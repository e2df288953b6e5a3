class auto:
    value = None
class EnumMeta(type):
    def __iter__(cls):
        return iter([m for n, m in cls._members.items() if m.name == n and not (cls._flag and (m._value_ == 0 or m._value_ & m._value_ - 1))])
    def __len__(cls):
        return len([1 for _ in cls])
    def __getitem__(cls, name):
        return cls._members[name]
    def __contains__(cls, x):
        return isinstance(x, cls)
    def __call__(cls, value, names=None):
        if names is not None:
            if isinstance(names, str):
                names = names.replace(',', ' ').split()
            pairs = names.items() if isinstance(names, dict) else [p if isinstance(p, tuple) else (p, i + 1) for i, p in enumerate(names)]
            return _make_class(value, (cls,), dict(pairs))
        if isinstance(value, cls):
            return value
        for m in cls._members.values():
            if m._value_ == value:
                return m
        if cls._flag and isinstance(value, int):
            return cls._combined(value)
        found = cls._missing_(value)
        if found is not None:
            return found
        raise ValueError('%r is not a valid %s' % (value, cls.__qualname__))
    def _combined(cls, value):
        names = [m.name for m in cls if m._value_ & value]
        m = cls._plain(value)
        object.__setattr__(m, '_name_', '|'.join(names) if names else None)
        return m
    def _plain(cls, value):
        base = cls._base
        m = object.__new__(cls) if base is None else _instance_of(cls, base(value))
        object.__setattr__(m, '_value_', value)
        return m
    @property
    def __members__(cls):
        return dict(cls._members)
    def __class_created__(cls):
        cls._members = {}
        for base in cls.__mro__[1:]:
            if base in (int, str, float):
                cls._base = base
        own = dict(cls.__dict__)
        last = []
        for n, v in own.items():
            if n.startswith('_') or isinstance(v, (property, classmethod, staticmethod)) or type(v).__name__ == 'function' or hasattr(v, '__get__'):
                continue
            args = None
            if isinstance(v, auto) or v is auto:
                v = cls._generate_next_value_(n, 1, len(last), last)
            last.append(v)
            same = [m for m in cls._members.values() if m._value_ == v]
            if same:
                cls._members[n] = same[0]
                setattr(cls, n, same[0])
                continue
            m = cls._plain(v)
            object.__setattr__(m, '_name_', n)
            if '__init__' in own and isinstance(v, tuple):
                m.__init__(*v)
            elif '__init__' in own:
                m.__init__(v)
            cls._members[n] = m
            setattr(cls, n, m)
EnumType = EnumMeta
class Enum(metaclass=EnumMeta):
    _flag, _base = False, None
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return last[-1] + 1 if last else start
    @classmethod
    def _missing_(cls, value):
        return None
    @property
    def name(self):
        return self._name_
    @property
    def value(self):
        return self._value_
    def __repr__(self):
        return '<%s.%s: %r>' % (type(self).__name__, self._name_, self._value_)
    def __str__(self):
        return '%s.%s' % (type(self).__name__, self._name_)
    def __hash__(self):
        return hash(self._name_ if self._base is None else self._value_)
    def __eq__(self, o):
        if self._base is None:
            return self is o
        return self._value_ == (o._value_ if isinstance(o, Enum) else o)
    def __format__(self, spec):
        return format(str(self), spec)
class _Number(Enum):
    def __eq__(self, o):
        return self._value_ == (o._value_ if isinstance(o, Enum) else o)
    def __hash__(self):
        return hash(self._value_)
    def __int__(self):
        return self._value_
    __index__ = __int__
    def __str__(self):
        return str(self._value_)
    def __format__(self, spec):
        return format(self._value_, spec)
class IntEnum(int, _Number): pass
class StrEnum(str, Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return name.lower()
    def __str__(self):
        return self._value_
    def __eq__(self, o):
        return self._value_ == (o._value_ if isinstance(o, Enum) else o)
    def __hash__(self):
        return hash(self._value_)
class Flag(Enum):
    _flag = True
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        n = 1
        while last and n <= max(last):
            n <<= 1
        return n
    def _of(self, o):
        return o._value_ if isinstance(o, Enum) else o
    def __or__(self, o):
        return type(self)(self._value_ | self._of(o))
    def __and__(self, o):
        return type(self)(self._value_ & self._of(o))
    def __xor__(self, o):
        return type(self)(self._value_ ^ self._of(o))
    def __invert__(self):
        n = 0
        for m in type(self):
            n |= m._value_
        return type(self)(n & ~self._value_)
    def __contains__(self, o):
        return self._value_ & o._value_ == o._value_
    def __bool__(self):
        return self._value_ != 0
    def __eq__(self, o):
        return type(o) is type(self) and self._value_ == o._value_
    def __hash__(self):
        return hash(self._value_)
    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])
    def __len__(self):
        return len([1 for _ in self])
    def __repr__(self):
        return '<%s%s: %r>' % (type(self).__name__, '' if self._name_ is None else '.' + self._name_, self._value_)
    def __str__(self):
        return '%s(0)' % type(self).__name__ if self._name_ is None else '%s.%s' % (type(self).__name__, self._name_)
class IntFlag(int, Flag):
    def __str__(self):
        return str(self._value_)
def unique(cls):
    for n, m in cls._members.items():
        if m.name != n:
            raise ValueError('duplicate values found in %r: %s -> %s' % (cls, n, m.name))
    return cls
def member(x):
    return x
def nonmember(x):
    return x
