def _rol(x, n):
    return (x << n | x >> 32 - n) & 0xffffffff
def _pad(data, big):
    n = len(data) * 8
    data = data + b'\x80'
    data = data + bytes((56 - len(data)) % 64)
    return data + n.to_bytes(8, 'big' if big else 'little')
_S = [7, 12, 17, 22] * 4 + [5, 9, 14, 20] * 4 + [4, 11, 16, 23] * 4 + [6, 10, 15, 21] * 4
def _words(block, order):
    return [int.from_bytes(block[i:i + 4], order) for i in range(0, 64, 4)]
def _md5(data):
    import math
    k = [int(abs(math.sin(i + 1)) * 4294967296) for i in range(64)]
    h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
    data = _pad(data, False)
    for at in range(0, len(data), 64):
        w = _words(data[at:at + 64], 'little')
        a, b, c, d = h
        for i in range(64):
            if i < 16:
                f, g = b & c | ~b & d, i
            elif i < 32:
                f, g = d & b | ~d & c, (5 * i + 1) % 16
            elif i < 48:
                f, g = b ^ c ^ d, (3 * i + 5) % 16
            else:
                f, g = c ^ (b | ~d & 0xffffffff), 7 * i % 16
            f = (f + a + k[i] + w[g]) & 0xffffffff
            a, d, c, b = d, c, b, (b + _rol(f, _S[i])) & 0xffffffff
        h = [(x + y) & 0xffffffff for x, y in zip(h, (a, b, c, d))]
    return b''.join([x.to_bytes(4, 'little') for x in h])
def _sha1(data):
    h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
    data = _pad(data, True)
    for at in range(0, len(data), 64):
        w = _words(data[at:at + 64], 'big')
        for i in range(16, 80):
            w.append(_rol(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1))
        a, b, c, d, e = h
        for i in range(80):
            if i < 20:
                f, k = b & c | ~b & d, 0x5a827999
            elif i < 40:
                f, k = b ^ c ^ d, 0x6ed9eba1
            elif i < 60:
                f, k = b & c | b & d | c & d, 0x8f1bbcdc
            else:
                f, k = b ^ c ^ d, 0xca62c1d6
            a, b, c, d, e = (_rol(a, 5) + f + e + k + w[i]) & 0xffffffff, a, _rol(b, 30), c, d
        h = [(x + y) & 0xffffffff for x, y in zip(h, (a, b, c, d, e))]
    return b''.join([x.to_bytes(4, 'big') for x in h])
def _primes(n):
    out, x = [], 2
    while len(out) < n:
        if all([x % p for p in out]):
            out.append(x)
        x += 1
    return out
def _root(p, k):
    # The first 32 bits of the fraction of a root.
    x = p << 32 * k
    r = 1 << (x.bit_length() + k - 1) // k
    while True:
        y = ((k - 1) * r + x // r ** (k - 1)) // k
        if y >= r:
            return r & 0xffffffff
        r = y
_tables = []
def _sha256(data):
    if not _tables:
        p = _primes(64)
        _tables.extend([[_root(x, 2) for x in p[:8]], [_root(x, 3) for x in p]])
    h, k = list(_tables[0]), _tables[1]
    data = _pad(data, True)
    def ror(x, n):
        return (x >> n | x << 32 - n) & 0xffffffff
    for at in range(0, len(data), 64):
        w = _words(data[at:at + 64], 'big')
        for i in range(16, 64):
            x, y = w[i - 15], w[i - 2]
            w.append((w[i - 16] + (ror(x, 7) ^ ror(x, 18) ^ x >> 3) + w[i - 7] + (ror(y, 17) ^ ror(y, 19) ^ y >> 10)) & 0xffffffff)
        a, b, c, d, e, f, g, j = h
        for i in range(64):
            t = (j + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + (e & f ^ ~e & g) + k[i] + w[i]) & 0xffffffff
            u = ((ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + (a & b ^ a & c ^ b & c)) & 0xffffffff
            a, b, c, d, e, f, g, j = (t + u) & 0xffffffff, a, b, c, (d + t) & 0xffffffff, e, f, g
        h = [(x + y) & 0xffffffff for x, y in zip(h, (a, b, c, d, e, f, g, j))]
    return b''.join([x.to_bytes(4, 'big') for x in h])
def _sha512(data):
    if len(_tables) < 4:
        p = _primes(80)
        def root(x, k):
            r = x << 64 * k
            s = 1 << (r.bit_length() + k - 1) // k
            while True:
                y = ((k - 1) * s + r // s ** (k - 1)) // k
                if y >= s:
                    return s & 0xffffffffffffffff
                s = y
        while len(_tables) < 2:
            _sha256(b'')
        _tables.extend([[root(x, 2) for x in p[:8]], [root(x, 3) for x in p]])
    h, k = list(_tables[2]), _tables[3]
    top = 0xffffffffffffffff
    n = len(data) * 8
    data = data + b'\x80'
    data = data + bytes((112 - len(data)) % 128) + n.to_bytes(16, 'big')
    def ror(x, n):
        return (x >> n | x << 64 - n) & top
    for at in range(0, len(data), 128):
        w = [int.from_bytes(data[at + i:at + i + 8], 'big') for i in range(0, 128, 8)]
        for i in range(16, 80):
            x, y = w[i - 15], w[i - 2]
            w.append((w[i - 16] + (ror(x, 1) ^ ror(x, 8) ^ x >> 7) + w[i - 7] + (ror(y, 19) ^ ror(y, 61) ^ y >> 6)) & top)
        a, b, c, d, e, f, g, j = h
        for i in range(80):
            t = (j + (ror(e, 14) ^ ror(e, 18) ^ ror(e, 41)) + (e & f ^ ~e & g) + k[i] + w[i]) & top
            u = ((ror(a, 28) ^ ror(a, 34) ^ ror(a, 39)) + (a & b ^ a & c ^ b & c)) & top
            a, b, c, d, e, f, g, j = (t + u) & top, a, b, c, (d + t) & top, e, f, g
        h = [(x + y) & top for x, y in zip(h, (a, b, c, d, e, f, g, j))]
    return b''.join([x.to_bytes(8, 'big') for x in h])
class _Hash:
    block_size = 64
    def __init__(self, name, f, data):
        self.name, self._f, self._data = name, f, data
    def update(self, data):
        if isinstance(data, str):
            raise TypeError('Strings must be encoded before hashing')
        self._data = self._data + data
    def digest(self):
        return self._f(self._data)
    def hexdigest(self):
        return self.digest().hex()
    def copy(self):
        return _Hash(self.name, self._f, self._data)
def _make(name, f):
    def new(data=b'', *, usedforsecurity=True):
        if isinstance(data, str):
            raise TypeError('Strings must be encoded before hashing')
        return _Hash(name, f, bytes(data))
    return new
md5, sha1, sha256, sha512 = _make('md5', _md5), _make('sha1', _sha1), _make('sha256', _sha256), _make('sha512', _sha512)
def new(name, data=b''):
    f = {'md5': md5, 'sha1': sha1, 'sha256': sha256, 'sha512': sha512}.get(name)
    if f is None:
        raise NotImplementedError('sandbatch does not simulate hashlib.' + name)
    return f(data)
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate hashlib.' + name)
