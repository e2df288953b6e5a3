_table = []
def crc32(data, value=0):
    if not _table:
        for i in range(256):
            for _ in range(8):
                i = i >> 1 ^ (0xedb88320 if i & 1 else 0)
            _table.append(i)
    c = value ^ 0xffffffff
    for b in data:
        c = c >> 8 ^ _table[(c ^ b) & 255]
    return c ^ 0xffffffff
def adler32(data, value=1):
    a, b = value & 0xffff, value >> 16
    for x in data:
        a = (a + x) % 65521
        b = (b + a) % 65521
    return b << 16 | a
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate zlib.' + name)
