from typing import Iterable, Iterator, Callable, Sequence, Mapping, Generator
