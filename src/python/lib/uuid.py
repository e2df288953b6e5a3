import os as _os
class UUID:
    def __init__(self, hex=None, int=None):
        self.int = int if int is not None else _int(hex.replace('-', ''), 16)
    @property
    def hex(self):
        return '%032x' % self.int
    def __str__(self):
        h = self.hex
        return '-'.join([h[:8], h[8:12], h[12:16], h[16:20], h[20:]])
    def __repr__(self):
        return 'UUID(%r)' % str(self)
    def __eq__(self, o):
        return isinstance(o, UUID) and self.int == o.int
    def __hash__(self):
        return hash(self.int)
_int = int
def uuid4():
    n = _int.from_bytes(_os.urandom(16), 'big')
    n = n & ~(0xf000 << 64) | 4 << 76
    n = n & ~(0xc000 << 48) | 0x8000 << 48
    return UUID(int=n)
uuid1 = uuid4
