class Error(ValueError): pass
def hexlify(data):
    return data.hex().encode()
def unhexlify(text):
    return bytes.fromhex(text if isinstance(text, str) else text.decode())
b2a_hex, a2b_hex = hexlify, unhexlify
def crc32(data, value=0):
    import zlib
    return zlib.crc32(data, value)
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate binascii.' + name)
