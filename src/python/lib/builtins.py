class BaseException:
    __str__ = _exception_str
    __repr__ = _exception_repr
    def with_traceback(self, tb):
        return self
    def add_note(self, note):
        pass
class Exception(BaseException): pass
class GeneratorExit(BaseException): pass
class KeyboardInterrupt(BaseException): pass
class SystemExit(BaseException):
    @property
    def code(self):
        return self.args[0] if self.args else None
class StopIteration(Exception): pass
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
IOError = EnvironmentError = OSError
class BlockingIOError(OSError): pass
class ChildProcessError(OSError): pass
class ConnectionError(OSError): pass
class BrokenPipeError(ConnectionError): pass
class ConnectionRefusedError(ConnectionError): pass
class FileExistsError(OSError): pass
class FileNotFoundError(OSError): pass
class InterruptedError(OSError): pass
class IsADirectoryError(OSError): pass
class NotADirectoryError(OSError): pass
class PermissionError(OSError): pass
class ProcessLookupError(OSError): pass
class TimeoutError(OSError): pass
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
def __import__(name):
    raise NotImplementedError('sandbatch does not simulate __import__')
class _Quitter:
    def __call__(self, code=None):
        raise SystemExit(code)
    def __repr__(self):
        return 'Use exit() or Ctrl-D (i.e. EOF) to exit'
exit = quit = _Quitter()
for _c in list(globals().values()):
    if isinstance(_c, type) and isinstance(getattr(_c, '__dict__', None), dict) and _c.__module__ == 'builtins':
        pass
