class _Meta(type):
    def __iter__(cls):
        return iter(list(cls._members.values()))
    def __len__(cls):
        return len(cls._members)
    def __getitem__(cls, name):
        return cls._members[name]
    def __contains__(cls, x):
        return isinstance(x, cls)
    def __call__(cls, value):
        for m in cls._members.values():
            if m.value == value:
                return m
        raise ValueError('%r is not a valid %s' % (value, cls.__qualname__))
    def __class_created__(cls):
        cls._members = {}
        names = [n for n in cls.__dict__ if not n.startswith('_')]
        last = 0
        for n in names:
            v = cls.__dict__[n]
            if callable(v) or isinstance(v, (property, classmethod, staticmethod)):
                continue
            if isinstance(v, auto):
                v = last + 1
            if isinstance(v, int):
                last = v
            m = object.__new__(cls)
            object.__setattr__(m, 'name', n)
            object.__setattr__(m, 'value', v)
            cls._members[n] = m
            setattr(cls, n, m)
class auto: pass
class Enum(metaclass=_Meta):
    def __repr__(self):
        return '<%s.%s: %r>' % (type(self).__name__, self.name, self.value)
    def __str__(self):
        return '%s.%s' % (type(self).__name__, self.name)
    def __hash__(self):
        return hash(self.name)
    def __eq__(self, o):
        return self is o
class IntEnum(Enum):
    def __int__(self): return self.value
    __index__ = __int__
    def __eq__(self, o): return self.value == (o.value if isinstance(o, Enum) else o)
    def __lt__(self, o): return self.value < (o.value if isinstance(o, Enum) else o)
    def __gt__(self, o): return self.value > (o.value if isinstance(o, Enum) else o)
    def __hash__(self): return hash(self.value)
    def __str__(self): return str(self.value)
Flag = IntFlag = StrEnum = None
def unique(cls): return cls
