class _Any:
    def __init__(self, name):
        self._name = name
    def __getitem__(self, item):
        return self
    def __call__(self, *args, **kwargs):
        return self
    def __or__(self, other):
        return self
    def __repr__(self):
        return 'typing.' + self._name
Any = _Any('Any')
Optional = _Any('Optional')
Union = _Any('Union')
List, Dict, Tuple, Set = list, dict, tuple, set
FrozenSet = frozenset
Callable, Iterable, Iterator, Generator, Sequence, Mapping, Type, Literal, Final, ClassVar, TypeVar, IO, TextIO, Deque, DefaultDict = [_Any(n) for n in 'Callable Iterable Iterator Generator Sequence Mapping Type Literal Final ClassVar TypeVar IO TextIO Deque DefaultDict'.split()]
class NamedTuple:
    def __init_subclass__(cls):
        pass
class Protocol: pass
class Generic:
    pass
TYPE_CHECKING = False
def cast(t, v):
    return v
