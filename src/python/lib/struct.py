class error(Exception): pass
error.__module__ = 'struct'
_SIZE = {'b': 1, 'B': 1, 'h': 2, 'H': 2, 'i': 4, 'I': 4, 'l': 8, 'L': 8, 'q': 8, 'Q': 8, '?': 1, 'd': 8, 'f': 4, 'x': 1, 'c': 1}
def _parse(format):
    order, native = 'little', True
    if format[:1] in ('<', '>', '!', '=', '@'):
        native = format[0] == '@'
        order = 'big' if format[0] in '>!' else 'little'
        format = format[1:]
    items, n = [], ''
    for c in format:
        if c.isdigit():
            n += c
            continue
        if c.isspace():
            continue
        if c == 's':
            items.append(('s', int(n or 1)))
        elif c in _SIZE:
            size = 4 if c in 'lL' and not native else _SIZE[c]
            items.extend([(c, size)] * int(n or 1))
        else:
            raise error('bad char in struct format')
        n = ''
    return order, native, items
def calcsize(format):
    order, native, items = _parse(format)
    at = 0
    for c, size in items:
        if native and c != 's':
            at += -at % size
        at += size
    return at
def _float_bits(x, size):
    import math
    exp_bits, man_bits = (11, 52) if size == 8 else (8, 23)
    bias = (1 << exp_bits - 1) - 1
    sign = 1 if math.copysign(1, x) < 0 else 0
    x = abs(x)
    if x != x:
        e, m = (1 << exp_bits) - 1, 1 << man_bits - 1
    elif x == math.inf:
        e, m = (1 << exp_bits) - 1, 0
    elif x == 0:
        e, m = 0, 0
    else:
        f, k = math.frexp(x)
        e = k - 1 + bias
        if e <= 0:
            m, e = round(f * 2.0 ** (man_bits + e)), 0
        else:
            m = round((f * 2 - 1) * 2 ** man_bits)
            if m >> man_bits:
                m, e = 0, e + 1
    return sign << size * 8 - 1 | e << man_bits | m
def _bits_float(n, size):
    import math
    exp_bits, man_bits = (11, 52) if size == 8 else (8, 23)
    bias = (1 << exp_bits - 1) - 1
    sign, e, m = n >> size * 8 - 1, n >> man_bits & (1 << exp_bits) - 1, n & (1 << man_bits) - 1
    if e == (1 << exp_bits) - 1:
        x = math.nan if m else math.inf
    elif e == 0:
        x = m * 2.0 ** (1 - bias - man_bits)
    else:
        x = (1 + m / 2 ** man_bits) * 2.0 ** (e - bias)
    return -x if sign else x
def pack(format, *values):
    order, native, items = _parse(format)
    need = len([c for c, _ in items if c != 'x'])
    if need != len(values):
        raise error('pack expected %d items for packing (got %d)' % (need, len(values)))
    out, i = b'', 0
    for c, size in items:
        if native and c != 's':
            out = out + bytes(-len(out) % size)
        if c == 'x':
            out = out + b'\0'
            continue
        v = values[i]
        i += 1
        if c == 's':
            out = out + (v + bytes(size))[:size]
        elif c == 'c':
            out = out + v
        elif c == '?':
            out = out + (b'\1' if v else b'\0')
        elif c in 'df':
            out = out + _float_bits(float(v), size).to_bytes(size, order)
        else:
            if not isinstance(v, int):
                raise error('required argument is not an integer')
            low, high = (0, 2 ** (8 * size) - 1) if c.isupper() else (-2 ** (8 * size - 1), 2 ** (8 * size - 1) - 1)
            if not low <= v <= high:
                raise error("'%s' format requires %d <= number <= %d" % (c, low, high))
            out = out + (v % 2 ** (8 * size)).to_bytes(size, order)
    return out
def unpack(format, data):
    order, native, items = _parse(format)
    if len(data) != calcsize(format):
        raise error('unpack requires a buffer of %d bytes' % calcsize(format))
    return unpack_from(format, data)
def unpack_from(format, data, offset=0):
    order, native, items = _parse(format)
    out, at = [], offset
    for c, size in items:
        if native and c != 's':
            at += -(at - offset) % size
        part = bytes(data[at:at + size])
        at += size
        if c == 'x':
            continue
        n = int.from_bytes(part, order)
        if c in 'sc':
            out.append(part)
        elif c == '?':
            out.append(n != 0)
        elif c in 'df':
            out.append(_bits_float(n, size))
        else:
            out.append(n - 2 ** (8 * size) if c.islower() and n >> 8 * size - 1 else n)
    return tuple(out)
def iter_unpack(format, data):
    n = calcsize(format)
    for i in range(0, len(data), n):
        yield unpack(format, data[i:i + n])
