import json as _json
HIGHEST_PROTOCOL, DEFAULT_PROTOCOL = 5, 4
class PickleError(Exception): pass
class PicklingError(PickleError): pass
class UnpicklingError(PickleError): pass
for _c in (PickleError, PicklingError, UnpicklingError):
    _c.__module__ = '_pickle'
def _enc(x):
    if x is None or isinstance(x, bool) or type(x) in (int, float, str):
        return x
    kind = type(x)
    if kind is list:
        return [_enc(v) for v in x]
    if kind is tuple:
        return {'t': [_enc(v) for v in x]}
    if kind is dict:
        return {'d': [[_enc(k), _enc(v)] for k, v in x.items()]}
    if kind in (set, frozenset):
        return {'s': [_enc(v) for v in x], 'f': kind is frozenset}
    if kind in (bytes, bytearray):
        return {'b': x.hex()}
    name = kind.__name__
    if isinstance(x, BaseException):
        state = {k: v for k, v in x.__dict__.items() if not k.startswith('__') and k != 'args'}
        return {'e': [kind.__module__, kind.__qualname__, _enc(x.args), _enc(state)]}
    if name == 'method':
        return {'m': [_enc(x.__self__), x.__name__]}
    if name == 'ndarray':
        return {'n': [x.tolist(), x.dtype.name, list(x.shape)]}
    if name in ('function', 'builtin_function_or_method', 'type'):
        if name == 'function' and x.__name__ == '<lambda>':
            raise PicklingError("Can't pickle %r: attribute lookup %s.<lambda> failed" % (x, x.__module__))
        return {'g': [x.__module__, x.__name__]}
    if name in ('generator', '_io.TextIOWrapper', 'module', 'coroutine'):
        raise TypeError("cannot pickle '" + name + "' object")
    if isinstance(x, dict):
        return {'o': [kind.__module__, kind.__qualname__, _enc(dict(x.__dict__)), _enc(dict(x))]}
    if isinstance(x, (list, tuple, int, float, str)):
        base = [b for b in (list, tuple, int, float, str) if isinstance(x, b)][0]
        return {'o': [kind.__module__, kind.__qualname__, _enc(dict(x.__dict__)), _enc(base(x))]}
    state = x.__getstate__() if hasattr(x, '__getstate__') else dict(x.__dict__)
    return {'o': [kind.__module__, kind.__qualname__, _enc(state), None]}
def _named(module, name):
    if module == 'builtins':
        return eval(name)
    m = __import__(module)
    for part in module.split('.')[1:]:
        m = getattr(m, part)
    try:
        for part in name.split('.'):
            m = getattr(m, part)
    except AttributeError:
        raise AttributeError("Can't get attribute %r on %r" % (name, m)) from None
    return m
def _dec(x):
    if isinstance(x, list):
        return [_dec(v) for v in x]
    if not isinstance(x, dict):
        return x
    if 't' in x:
        return tuple([_dec(v) for v in x['t']])
    if 'd' in x:
        return {_dec(k): _dec(v) for k, v in x['d']}
    if 's' in x:
        s = {_dec(v) for v in x['s']}
        return frozenset(s) if x['f'] else s
    if 'b' in x:
        return bytes.fromhex(x['b'])
    if 'n' in x:
        import numpy
        return numpy.array(x['n'][0], x['n'][1]).reshape(tuple(x['n'][2]))
    if 'g' in x:
        return _named(x['g'][0], x['g'][1])
    if 'e' in x:
        o = _named(x['e'][0], x['e'][1])(*_dec(x['e'][2]))
        for k, v in _dec(x['e'][3]).items():
            setattr(o, k, v)
        return o
    if 'm' in x:
        return getattr(_dec(x['m'][0]), x['m'][1])
    module, name, state, base = x['o']
    cls = _named(module, name)
    state = _dec(state)
    if base is not None:
        o = cls(_dec(base)) if not hasattr(cls, '_make') else cls._make(_dec(base))
    else:
        o = object.__new__(cls)
    if hasattr(o, '__setstate__'):
        o.__setstate__(state)
    else:
        for k, v in state.items():
            object.__setattr__(o, k, v)
    return o
def dumps(x, protocol=None):
    return b'\x80\x04' + _json.dumps(_enc(x)).encode()
def loads(data):
    if data[:2] != b'\x80\x04':
        raise UnpicklingError('invalid load key, %r.' % chr(data[0])) if data else EOFError('Ran out of input')
    return _dec(_json.loads(data[2:].decode()))
def dump(x, f, protocol=None):
    f.write(dumps(x) + b'\n')
def load(f):
    line = f.readline()
    if not line:
        raise EOFError('Ran out of input')
    return loads(line)
