_A = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
def b64encode(data, altchars=None):
    out = []
    for i in range(0, len(data), 3):
        part = data[i:i + 3]
        n = int.from_bytes(part + bytes(3 - len(part)), 'big')
        text = ''.join([_A[n >> s & 63] for s in (18, 12, 6, 0)])
        out.append(text[:len(part) + 1] + '=' * (3 - len(part)))
    text = ''.join(out)
    if altchars is not None:
        text = text.replace('+', chr(altchars[0])).replace('/', chr(altchars[1]))
    return text.encode()
def b64decode(text, altchars=None, validate=False):
    import binascii
    if not isinstance(text, str):
        text = text.decode()
    if altchars is not None:
        text = text.replace(chr(altchars[0]), '+').replace(chr(altchars[1]), '/')
    n, bits, out = 0, 0, []
    count = 0
    for c in text:
        if c in _A:
            n, bits = n << 6 | _A.index(c), bits + 6
            count += 1
            if bits >= 8:
                bits -= 8
                out.append(n >> bits & 255)
                n = n & (1 << bits) - 1
    if (count + text.count('=')) % 4:
        raise binascii.Error('Incorrect padding')
    return bytes(out)
def urlsafe_b64encode(data):
    return b64encode(data, b'-_')
def urlsafe_b64decode(text):
    return b64decode(text, b'-_')
standard_b64encode, standard_b64decode = b64encode, b64decode
def b16encode(data):
    return data.hex().upper().encode()
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate base64.' + name)
