class _Missing: pass
MISSING = _Missing()
class FrozenInstanceError(AttributeError): pass
class Field:
    def __init__(self, default, default_factory, init, repr, compare):
        self.default, self.default_factory, self.init, self.repr, self.compare = default, default_factory, init, repr, compare
        self.name = None
def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True, hash=None, metadata=None, kw_only=False):
    return Field(default, default_factory, init, repr, compare)
def fields(cls):
    return tuple(cls.__dataclass_fields__.values())
def is_dataclass(o):
    return hasattr(o, '__dataclass_fields__')
def _plain(v):
    if is_dataclass(v) and not isinstance(v, type):
        return asdict(v)
    if isinstance(v, (list, tuple)):
        return type(v)([_plain(x) for x in v])
    if isinstance(v, dict):
        return {k: _plain(x) for k, x in v.items()}
    return v
def asdict(o):
    return {f.name: _plain(getattr(o, f.name)) for f in fields(o)}
def astuple(o):
    return tuple([getattr(o, f.name) for f in fields(o)])
def replace(o, **changes):
    values = {f.name: getattr(o, f.name) for f in fields(o) if f.init}
    values.update(changes)
    return type(o)(**values)
def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, frozen=False, unsafe_hash=False, slots=False, kw_only=False):
    if cls is None:
        return lambda c: _process(c, init, repr, eq, order, frozen, kw_only)
    return _process(cls, init, repr, eq, order, frozen, kw_only)
def _process(cls, init, repr_, eq, order, frozen, kw_only):
    all = {}
    for base in reversed(cls.__mro__[1:]):
        all.update(getattr(base, '__dataclass_fields__', {}))
    own = cls.__dict__
    seen_default = None
    for name in own.get('__annotations__', {}):
        value = own.get(name, MISSING)
        f = value if isinstance(value, Field) else Field(value, MISSING, True, True, True)
        if isinstance(f.default, (list, dict, set)):
            raise ValueError("mutable default %r for field %s is not allowed: use default_factory" % (type(f.default), name))
        f.name = name
        all[name] = f
        if isinstance(value, Field):
            if f.default is not MISSING:
                setattr(cls, name, f.default)
            else:
                delattr(cls, name)
    defaulted = False
    for f in all.values():
        if f.init and not kw_only:
            if f.default is MISSING and f.default_factory is MISSING:
                if defaulted:
                    raise TypeError("non-default argument %r follows default argument" % f.name)
            else:
                defaulted = True
    cls.__dataclass_fields__ = all
    cls.__match_args__ = tuple([n for n in all])
    names = [f.name for f in all.values() if f.init]
    def __init__(self, *args, **kwargs):
        if len(args) > len(names):
            raise TypeError('%s.__init__() takes %d positional arguments but %d were given' % (cls.__name__, len(names) + 1, len(args) + 1))
        missing = []
        given = dict(zip(names, args))
        for k, v in kwargs.items():
            if k not in names:
                raise TypeError('%s.__init__() got an unexpected keyword argument %r' % (cls.__name__, k))
            if k in given:
                raise TypeError('%s.__init__() got multiple values for argument %r' % (cls.__name__, k))
            given[k] = v
        for f in all.values():
            if f.name in given:
                v = given[f.name]
            elif f.default_factory is not MISSING:
                v = f.default_factory()
            elif f.default is not MISSING:
                v = f.default
            elif f.init:
                missing.append(repr(f.name))
                continue
            else:
                continue
            object.__setattr__(self, f.name, v)
        if missing:
            text = missing[0] if len(missing) == 1 else ' and '.join(missing) if len(missing) == 2 else ', '.join(missing[:-1]) + ', and ' + missing[-1]
            raise TypeError('%s.__init__() missing %d required positional argument%s: %s' % (cls.__name__, len(missing), '' if len(missing) == 1 else 's', text))
        if hasattr(self, '__post_init__'):
            self.__post_init__()
    def __repr__(self):
        return cls_name(self) + '(' + ', '.join([f.name + '=' + repr(getattr(self, f.name)) for f in all.values() if f.repr]) + ')'
    def cls_name(self):
        return type(self).__qualname__
    compared = [f.name for f in all.values() if f.compare]
    def values(self):
        return tuple([getattr(self, n) for n in compared])
    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return values(self) == values(other)
    if init and '__init__' not in own:
        cls.__init__ = __init__
    if repr_ and '__repr__' not in own:
        cls.__repr__ = __repr__
    if eq and '__eq__' not in own:
        cls.__eq__ = __eq__
        if frozen:
            cls.__hash__ = lambda self: hash(values(self))
        elif '__hash__' not in own:
            cls.__hash__ = None
    if order:
        cls.__lt__ = lambda a, b: values(a) < values(b)
        cls.__le__ = lambda a, b: values(a) <= values(b)
        cls.__gt__ = lambda a, b: values(a) > values(b)
        cls.__ge__ = lambda a, b: values(a) >= values(b)
    if frozen:
        def __setattr__(self, name, value):
            raise FrozenInstanceError('cannot assign to field %r' % name)
        cls.__setattr__ = __setattr__
    return cls
