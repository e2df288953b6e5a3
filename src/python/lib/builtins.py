class BaseException:
    __str__ = _exception_str
    __repr__ = _exception_repr
    def with_traceback(self, tb):
        return self
    def add_note(self, note):
        if not isinstance(note, str):
            raise TypeError("note must be a str, not '" + type(note).__name__ + "'")
        if not hasattr(self, '__notes__'):
            self.__notes__ = []
        self.__notes__.append(note)
class Exception(BaseException): pass
class GeneratorExit(BaseException): pass
class KeyboardInterrupt(BaseException): pass
class SystemExit(BaseException):
    @property
    def code(self):
        return self.args[0] if self.args else None
class StopIteration(Exception): pass
class StopAsyncIteration(Exception): pass
class ArithmeticError(Exception): pass
class ZeroDivisionError(ArithmeticError): pass
class OverflowError(ArithmeticError): pass
class FloatingPointError(ArithmeticError): pass
class AssertionError(Exception): pass
class AttributeError(Exception): pass
class BufferError(Exception): pass
class EOFError(Exception): pass
class ImportError(Exception): pass
class ModuleNotFoundError(ImportError): pass
class LookupError(Exception): pass
class IndexError(LookupError): pass
class KeyError(LookupError): pass
class MemoryError(Exception): pass
class NameError(Exception): pass
class UnboundLocalError(NameError): pass
class OSError(Exception):
    def __init__(self, *args):
        self.args = args
        if len(args) >= 2:
            self.errno = args[0]
            self.strerror = args[1]
            self.filename = args[2] if len(args) > 2 else None
            self.args = args[:2]
            if type(self) is OSError and len(args) < 6 and isinstance(args[0], int) and args[0] in _of_errno:
                self.__class__ = _of_errno[args[0]]
IOError = EnvironmentError = OSError
class BlockingIOError(OSError): pass
class ChildProcessError(OSError): pass
class ConnectionError(OSError): pass
class BrokenPipeError(ConnectionError): pass
class ConnectionAbortedError(ConnectionError): pass
class ConnectionRefusedError(ConnectionError): pass
class ConnectionResetError(ConnectionError): pass
class FileExistsError(OSError): pass
class FileNotFoundError(OSError): pass
class InterruptedError(OSError): pass
class IsADirectoryError(OSError): pass
class NotADirectoryError(OSError): pass
class PermissionError(OSError): pass
class ProcessLookupError(OSError): pass
class TimeoutError(OSError): pass
_of_errno = {
    1: PermissionError, 2: FileNotFoundError, 3: ProcessLookupError, 4: InterruptedError, 10: ChildProcessError,
    11: BlockingIOError, 13: PermissionError, 17: FileExistsError, 20: NotADirectoryError, 21: IsADirectoryError,
    32: BrokenPipeError, 103: ConnectionAbortedError, 104: ConnectionResetError, 108: BrokenPipeError, 110: TimeoutError,
    111: ConnectionRefusedError, 114: BlockingIOError, 115: BlockingIOError,
}
class ReferenceError(Exception): pass
class RuntimeError(Exception): pass
class NotImplementedError(RuntimeError): pass
class RecursionError(RuntimeError): pass
class SyntaxError(Exception): pass
class IndentationError(SyntaxError): pass
class TabError(IndentationError): pass
class SystemError(Exception): pass
class TypeError(Exception): pass
class ValueError(Exception): pass
class UnicodeError(ValueError): pass
class UnicodeDecodeError(UnicodeError): pass
class UnicodeEncodeError(UnicodeError): pass
class UnsupportedOperation(OSError, ValueError): pass
UnsupportedOperation.__module__ = 'io'
class Warning(Exception): pass
class UserWarning(Warning): pass
class DeprecationWarning(Warning): pass
class RuntimeWarning(Warning): pass
class SyntaxWarning(Warning): pass
class ResourceWarning(Warning): pass
class PendingDeprecationWarning(Warning): pass
class ImportWarning(Warning): pass
class BytesWarning(Warning): pass
class UnicodeWarning(Warning): pass
class EncodingWarning(Warning): pass
class FutureWarning(Warning): pass

def _gather(it):
    return [x for x in it]
_list = _gather
def _tuple(it):
    return tuple([x for x in it])
def _set(it):
    return {x for x in it}
def _frozenset(it):
    return frozenset([x for x in it])
def _sum(it, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    for x in it:
        start = start + x
    return start
def _any(it):
    for x in it:
        if x:
            return True
    return False
def _all(it):
    for x in it:
        if not x:
            return False
    return True
_missing = ['missing']
def _best(name, args, key, default, better):
    if len(args) > 1:
        it = args
    else:
        it = args[0]
    found = False
    best = best_key = None
    for x in it:
        k = x if key is None else key(x)
        if not found or better(k, best_key):
            best, best_key, found = x, k, True
    if not found:
        if default is _missing:
            raise ValueError(name + '() arg is an empty sequence')
        return default
    return best
def _max(*args, key=None, default=_missing):
    return _best('max', args, key, default, lambda a, b: a > b)
def _min(*args, key=None, default=_missing):
    return _best('min', args, key, default, lambda a, b: a < b)
def _sorted(it, *, key=None, reverse=False):
    if key is None:
        return sorted([x for x in it], reverse=reverse)
    return _sort_pairs([(key(x), x) for x in it], reverse)
def _sort_list(self, *, key=None, reverse=False):
    self._replace(_sort_pairs([(key(x), x) for x in self], reverse))
def _extend(self, it):
    for x in it:
        self.append(x)
def _join(self, it):
    return self.join([x for x in it])
def _enumerate(it, start=0):
    for x in it:
        yield start, x
        start += 1
def _zip(*its, strict=False):
    if not its:
        return
    its = [iter(i) for i in its]
    while True:
        row = []
        for i in its:
            x = next(i, _missing)
            if x is _missing:
                return
            row.append(x)
        yield tuple(row)
def map(function, *its):
    if len(its) == 1:
        for x in its[0]:
            yield function(x)
        return
    for args in zip(*its):
        yield function(*args)
def filter(function, it):
    for x in it:
        if (x if function is None else function(x)):
            yield x
def _next_or(it, default):
    try:
        return next(it)
    except StopIteration:
        return default
def _iter_until(function, sentinel):
    while True:
        x = function()
        if x == sentinel:
            return
        yield x
def _iter_items(self):
    i = 0
    while True:
        try:
            x = self[i]
        except IndexError:
            return
        yield x
        i += 1
def _writelines(self, lines):
    for line in lines:
        self.write(line)
def dir(value=None):
    names = set()
    if value is None:
        return sorted(globals())
    for c in getattr(value, '__mro__', None) or type(value).__mro__ or ():
        names.update(getattr(c, '__dict__', {}))
    names.update(getattr(value, '__dict__', {}))
    return sorted(names)
def __import__(name, globals=None, locals=None, fromlist=(), level=0):
    space = {}
    exec('import ' + name, space)
    return space[name.split('.')[0]]
def _close_generator(g):
    try:
        g.throw(GeneratorExit())
    except (GeneratorExit, StopIteration):
        return
    raise RuntimeError('generator ignored GeneratorExit')
class code:
    def __init__(self, unit, mode, filename):
        self._unit, self._mode, self.co_filename, self.co_name = unit, mode, filename, '<module>'
    def __repr__(self):
        return '<code object <module> at 0x7f0000000000, file "' + self.co_filename + '", line 1>'
_code = code
del code
def compile(source, filename='<string>', mode='exec', flags=0, dont_inherit=False, optimize=-1):
    if isinstance(source, bytes):
        source = source.decode()
    return _code(_load_code(source, filename, mode), mode, filename)
def _exec_here(source, mode, module):
    c = source if isinstance(source, _code) else compile(source, '<string>', mode)
    return _run_code(c._unit, module)
def _exec_in(source, mode, globals, locals):
    c = source if isinstance(source, _code) else compile(source, '<string>', mode)
    space = dict(globals)
    if locals is not None:
        space.update(locals)
    module = _new_namespace(space)
    try:
        return _run_code(c._unit, module)
    finally:
        target = globals if locals is None else locals
        for k, v in module.__dict__.items():
            if k not in space or space[k] is not v:
                target[k] = v
class _async_value:
    def __init__(self, value):
        self.value = value
def _awaitable(x):
    if type(x).__name__ in ('coroutine', 'generator'):
        return x
    f = getattr(x, '__await__', None)
    if f is None:
        raise TypeError("object " + type(x).__name__ + " can't be used in 'await' expression")
    return f()
def _next_async(steps, first=None):
    sent = first
    while True:
        try:
            v = steps.send(sent)
        except StopIteration:
            raise StopAsyncIteration from None
        if isinstance(v, _async_value):
            return v.value
        sent = yield v
class async_generator:
    def __aiter__(self):
        return self
    def __anext__(self):
        return _next_async(self._steps)
    def asend(self, value):
        return _next_async(self._steps, value)
    def aclose(self):
        self._steps.close()
        return iter(())
def aiter(x):
    return x.__aiter__()
def anext(x):
    return x.__anext__()
def _power(a, b):
    return complex(a) ** b
def _annotated(f, notes):
    f.__annotations__ = notes
    return f
def _mapping_items(m):
    return {k: m[k] for k in m.keys()}
def _mapping_rest(d, *keys):
    return {k: v for k, v in d.items() if k not in keys}
def _int_to_bytes(n, length=1, byteorder='big', *, signed=False):
    if n < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    if n >= 1 << 8 * length - (1 if signed else 0) or n < -(1 << 8 * length - 1):
        raise OverflowError('int too big to convert')
    n = n % (1 << 8 * length)
    out = []
    for _ in range(length):
        out.append(n & 255)
        n >>= 8
    if byteorder == 'big':
        out.reverse()
    return bytes(out)
def _int_from_bytes(data, byteorder='big', *, signed=False):
    n = 0
    items = list(data)
    for b in (items if byteorder == 'big' else reversed(items)):
        n = n << 8 | b
    if signed and n >> 8 * len(items) - 1:
        n -= 1 << 8 * len(items)
    return n
def _float_ratio(x):
    if x != x:
        raise ValueError('cannot convert NaN to integer ratio')
    if x - x != 0:
        raise OverflowError('cannot convert Infinity to integer ratio')
    n = 1
    while x != int(x):
        x, n = x * 2, n * 2
    x = int(x)
    while n > 1 and x % 2 == 0:
        x, n = x // 2, n // 2
    return x, n
def _expandtabs(s, tabsize=8):
    out, column = [], 0
    for c in s:
        if c == '\t':
            n = tabsize - column % tabsize if tabsize else 0
            out.append(' ' * n)
            column += n
        else:
            out.append(c)
            column = 0 if c in '\n\r' else column + 1
    return ''.join(out)
def _maketrans(x, y=None, z=None):
    if y is None:
        return {ord(k) if isinstance(k, str) else k: v for k, v in x.items()}
    if len(x) != len(y):
        raise ValueError('the first two maketrans arguments must have equal length')
    d = {ord(a): ord(b) for a, b in zip(x, y)}
    for c in z or '':
        d[ord(c)] = None
    return d
def _format_map(s, mapping):
    return s.format(**mapping)
def _istitle(s):
    return any([c.isalpha() for c in s]) and s == s.title()
def _encode(s, encoding='utf-8', errors='strict'):
    name = encoding.lower().replace('_', '-')
    top = {'ascii': 128, 'us-ascii': 128, 'latin-1': 256, 'latin1': 256, 'iso-8859-1': 256}.get(name)
    if top is None:
        raise LookupError('unknown encoding: ' + encoding)
    out = []
    for i, c in enumerate(s):
        if ord(c) < top:
            out.append(ord(c))
        elif errors == 'replace':
            out.append(63)
        elif errors != 'ignore':
            codec = 'ascii' if top == 128 else 'latin-1'
            raise UnicodeEncodeError("'%s' codec can't encode character %s in position %d: ordinal not in range(%d)" % (codec, ascii(c), i, top))
    return bytes(out)
def _bytes_find(b, part, start=0):
    n = len(part)
    for i in range(start, len(b) - n + 1):
        if b[i:i + n] == part:
            return i
    return -1
def _bytes_count(b, part):
    n, i = 0, _bytes_find(b, part)
    while i >= 0:
        n, i = n + 1, _bytes_find(b, part, i + len(part))
    return n
def _bytes_split(b, by=None, maxsplit=-1):
    if by is None:
        return b.split()
    out, at = [], 0
    while maxsplit < 0 or len(out) < maxsplit:
        i = _bytes_find(b, by, at)
        if i < 0:
            break
        out.append(b[at:i])
        at = i + len(by)
    return out + [b[at:]]
def _bytes_replace(b, old, new, count=-1):
    return new.join(_bytes_split(b, old, count))
def _bytes_join(b, items):
    out = b''
    for i, x in enumerate(items):
        out = out + (b if i else b'') + x
    return out
def _bytes_lines(b, keepends=False):
    out = b.split(b'\n')
    if out and not out[-1]:
        out.pop()
    return [x + b'\n' if keepends else x for x in out]
def _bytes_fromhex(s):
    s = ''.join(s.split())
    try:
        return bytes([int(s[i:i + 2], 16) for i in range(0, len(s), 2)])
    except ValueError:
        raise ValueError('non-hexadecimal number found in fromhex() arg at position 0') from None
class _Quitter:
    def __call__(self, code=None):
        raise SystemExit(code)
    def __repr__(self):
        return 'Use exit() or Ctrl-D (i.e. EOF) to exit'
exit = quit = _Quitter()
for _c in list(globals().values()):
    if isinstance(_c, type) and isinstance(getattr(_c, '__dict__', None), dict) and _c.__module__ == 'builtins':
        pass
