class _Alias:
    def __init__(self, name, args=(), origin=None, module='typing.'):
        self._name, self.__args__, self.__origin__, self._module = name, args, origin, module
        self.__name__ = name
    def __getitem__(self, args):
        return _Alias(self._name, args if isinstance(args, tuple) else (args,), self.__origin__, self._module)
    def __call__(self, *args, **kwargs):
        if self.__origin__ is None:
            raise TypeError('Cannot instantiate ' + repr(self))
        return self.__origin__(*args, **kwargs)
    def __or__(self, other):
        return Union[self, other]
    __ror__ = __or__
    def __repr__(self):
        if not self.__args__:
            return self._module + self._name
        args = self.__args__
        if self._name == 'Callable' and len(args) == 2 and isinstance(args[0], list):
            return 'typing.Callable[[' + ', '.join([_show(a) for a in args[0]]) + '], ' + _show(args[1]) + ']'
        if self._name == 'Union' and len(args) == 2 and None in args:
            return 'typing.Optional[' + _show([a for a in args if a is not None][0]) + ']'
        return self._module + self._name + '[' + ', '.join([repr(a) if self._name == 'Literal' else _show(a) for a in args]) + ']'
    def __instancecheck__(self, x):
        if self.__args__:
            raise TypeError('Subscripted generics cannot be used with class and instance checks')
        return isinstance(x, self.__origin__ or object)
    def __eq__(self, o):
        return isinstance(o, _Alias) and (self._name, self.__args__) == (o._name, o.__args__)
    def __hash__(self):
        return hash(self._name)
    def __mro_entries__(self, bases):
        return (self.__origin__,) if self.__origin__ else ()
def _show(a):
    if a is None:
        return 'None'
    if a is ...:
        return '...'
    if isinstance(a, type):
        return a.__name__ if a.__module__ == 'builtins' or a.__name__ in ('int', 'str', 'float', 'list', 'dict', 'bool', 'bytes', 'tuple', 'set') else a.__module__ + '.' + a.__qualname__
    if isinstance(a, str):
        return 'ForwardRef(%r)' % a
    return repr(a)
List, Dict, Tuple, Set, FrozenSet, Type = [_Alias(n, (), o) for n, o in (('List', list), ('Dict', dict), ('Tuple', tuple), ('Set', set), ('FrozenSet', frozenset), ('Type', type))]
Any, Optional, Union, Callable, Iterable, Iterator, Generator, Sequence, MutableSequence, Mapping, MutableMapping, Literal, Final, ClassVar, IO, TextIO, BinaryIO, Hashable, Sized, Collection, Container, Awaitable, Coroutine, AsyncIterator, AsyncGenerator, AsyncIterable, Annotated, NoReturn, Never, Self, Concatenate, AnyStr, SupportsInt, SupportsFloat, Required, NotRequired, LiteralString, TypeAlias, Pattern, Match = [
    _Alias(n) for n in 'Any Optional Union Callable Iterable Iterator Generator Sequence MutableSequence Mapping MutableMapping Literal Final ClassVar IO TextIO BinaryIO Hashable Sized Collection Container Awaitable Coroutine AsyncIterator AsyncGenerator AsyncIterable Annotated NoReturn Never Self Concatenate AnyStr SupportsInt SupportsFloat Required NotRequired LiteralString TypeAlias Pattern Match'.split()]
def _lazy(name, n):
    import collections
    return getattr(collections, n)
DefaultDict, OrderedDict, Counter, Deque, ChainMap = [_Alias(n) for n in ('DefaultDict', 'OrderedDict', 'Counter', 'Deque', 'ChainMap')]
def TypeVar(name, *constraints, bound=None, covariant=False, contravariant=False):
    return _Alias('~' + name, (), None, '')
ParamSpec = NewTypeVar = TypeVar
def NewType(name, base):
    return base
def _named(cls):
    from collections import namedtuple
    own = dict(cls.__dict__)
    names = list(own.get('__annotations__', {}))
    made = namedtuple(cls.__name__, names, defaults=[own[n] for n in names if n in own])
    for k, v in own.items():
        if k not in names:
            setattr(made, k, v)
    return made
class NamedTuple:
    _class_becomes = staticmethod(_named)
class TypedDict(dict):
    def __init_subclass__(cls, total=True):
        pass
class Protocol: pass
class Generic: pass
TYPE_CHECKING = False
def cast(t, v):
    return v
def overload(f):
    return f
final = no_type_check = runtime_checkable = override = overload
def get_type_hints(x):
    return dict(getattr(x, '__annotations__', {}))
def get_args(t):
    return getattr(t, '__args__', ())
def get_origin(t):
    return getattr(t, '__origin__', None)
