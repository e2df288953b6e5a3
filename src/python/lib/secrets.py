import os as _os, random as _random
SystemRandom = _random.SystemRandom
def token_bytes(n=32):
    return _os.urandom(n)
def token_hex(n=32):
    return _os.urandom(n).hex()
def randbelow(n):
    return _random.SystemRandom().randrange(n)
def choice(seq):
    return _random.SystemRandom().choice(seq)
