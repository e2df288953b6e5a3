class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        line = doc.count('\n', 0, pos) + 1 if False else doc[:pos].count('\n') + 1
        col = pos - doc[:pos].rfind('\n')
        self.args = ('%s: line %d column %d (char %d)' % (msg, line, col, pos),)
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, line, col
JSONDecodeError.__module__ = 'json.decoder'
_ESC = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f'}
def _string(s, ascii=True):
    out = []
    for c in s:
        n = ord(c)
        if c in _ESC:
            out.append(_ESC[c])
        elif n < 32 or n > 126 and ascii:
            if n > 0xffff:
                n -= 0x10000
                out.append('\\u%04x\\u%04x' % (0xd800 | n >> 10, 0xdc00 | n & 0x3ff))
            else:
                out.append('\\u%04x' % n)
        else:
            out.append(c)
    return '"' + ''.join(out) + '"'
def _dump(o, indent, level, default, sort_keys, seps, ascii):
    if o is None:
        return 'null'
    if o is True:
        return 'true'
    if o is False:
        return 'false'
    if isinstance(o, str):
        return _string(o, ascii)
    if isinstance(o, int):
        return repr(int(o))
    if isinstance(o, float):
        if o != o:
            return 'NaN'
        if o in (float('inf'), float('-inf')):
            return 'Infinity' if o > 0 else '-Infinity'
        return repr(o)
    item, colon = seps
    pad = '' if indent is None else '\n' + indent * (level + 1)
    end = '' if indent is None else '\n' + indent * level
    if isinstance(o, dict):
        if not o:
            return '{}'
        pairs = []
        keys = sorted(o) if sort_keys else list(o)
        for k in keys:
            v = o[k]
            if isinstance(k, bool) or k is None or isinstance(k, (int, float)):
                k = _dump(k, None, 0, default, sort_keys, seps, ascii)
            elif not isinstance(k, str):
                raise TypeError('keys must be str, int, float, bool or None, not ' + type(k).__name__)
            pairs.append(_string(k, ascii) + colon + _dump(v, indent, level + 1, default, sort_keys, seps, ascii))
        return '{' + pad + (item + pad).join(pairs) + end + '}'
    if isinstance(o, (list, tuple)):
        if not o:
            return '[]'
        return '[' + pad + (item + pad).join([_dump(v, indent, level + 1, default, sort_keys, seps, ascii) for v in o]) + end + ']'
    if default is not None:
        return _dump(default(o), indent, level, default, sort_keys, seps, ascii)
    raise TypeError('Object of type ' + type(o).__name__ + ' is not JSON serializable')
def dumps(o, *, indent=None, default=None, sort_keys=False, separators=None, ensure_ascii=True, cls=None):
    if isinstance(indent, int):
        indent = ' ' * indent
    if separators is None:
        separators = (', ', ': ') if indent is None else (',', ': ')
    return _dump(o, indent, 0, default, sort_keys, separators, ensure_ascii)
def dump(o, f, **kwargs):
    f.write(dumps(o, **kwargs))
_UNESC = {'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
def _space(s, i):
    while i < len(s) and s[i] in ' \n\r\t':
        i += 1
    return i
def _parse_string(s, i):
    begin = i - 1
    out = []
    while True:
        j = i
        while j < len(s) and s[j] != '"' and s[j] != '\\':
            j += 1
        out.append(s[i:j])
        if j >= len(s):
            raise JSONDecodeError('Unterminated string starting at', s, begin)
        if s[j] == '"':
            return ''.join(out), j + 1
        c = s[j + 1]
        if c == 'u':
            n = int(s[j + 2:j + 6], 16)
            i = j + 6
            if 0xd800 <= n < 0xdc00 and s[i:i + 2] == '\\u':
                n = 0x10000 + (n - 0xd800 << 10 | int(s[i + 2:i + 6], 16) - 0xdc00)
                i += 6
            out.append(chr(n))
        elif c in _UNESC:
            out.append(_UNESC[c])
            i = j + 2
        else:
            raise JSONDecodeError('Invalid \\escape', s, j)
def _value(s, i):
    if i >= len(s):
        raise JSONDecodeError('Expecting value', s, i)
    c = s[i]
    if c == '"':
        return _parse_string(s, i + 1)
    if c == '{':
        d = {}
        i = _space(s, i + 1)
        if s[i:i + 1] == '}':
            return d, i + 1
        while True:
            if s[i:i + 1] != '"':
                raise JSONDecodeError('Expecting property name enclosed in double quotes', s, i)
            k, i = _parse_string(s, i + 1)
            i = _space(s, i)
            if s[i:i + 1] != ':':
                raise JSONDecodeError("Expecting ':' delimiter", s, i)
            d[k], i = _value(s, _space(s, i + 1))
            i = _space(s, i)
            if s[i:i + 1] == '}':
                return d, i + 1
            if s[i:i + 1] != ',':
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i = _space(s, i + 1)
    if c == '[':
        a = []
        i = _space(s, i + 1)
        if s[i:i + 1] == ']':
            return a, i + 1
        while True:
            v, i = _value(s, i)
            a.append(v)
            i = _space(s, i)
            if s[i:i + 1] == ']':
                return a, i + 1
            if s[i:i + 1] != ',':
                raise JSONDecodeError("Expecting ',' delimiter", s, i)
            i = _space(s, i + 1)
    for word, v in (('null', None), ('true', True), ('false', False), ('NaN', float('nan')), ('Infinity', float('inf')), ('-Infinity', float('-inf'))):
        if s.startswith(word, i):
            return v, i + len(word)
    j = i
    while j < len(s) and s[j] in '+-.0123456789eE':
        j += 1
    if j == i or s[i:j] == '-':
        raise JSONDecodeError('Expecting value', s, i)
    text = s[i:j]
    return (float(text) if '.' in text or 'e' in text or 'E' in text else int(text)), j
def loads(s, **kwargs):
    if isinstance(s, bytes):
        s = s.decode()
    v, i = _value(s, _space(s, 0))
    i = _space(s, i)
    if i != len(s):
        raise JSONDecodeError('Extra data', s, i)
    return v
def load(f, **kwargs):
    return loads(f.read())
