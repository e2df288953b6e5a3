import numpy as _np
def PRNGKey(seed):
    return _np.array([0, seed])
key = PRNGKey
def split(key, n=2):
    return [_np.array([int(key[0]) * 2 + i + 1, int(key[1])]) for i in range(n)]
def _state(key):
    return _np.random.RandomState((int(key[0]) * 1000003 + int(key[1])) % 4294967296)
def normal(key, shape=()):
    return _np.asarray(_state(key).standard_normal(tuple(shape))).astype(_np.float32)
def uniform(key, shape=(), minval=0.0, maxval=1.0):
    return _np.asarray(_state(key).uniform(minval, maxval, tuple(shape))).astype(_np.float32)
def randint(key, shape, minval, maxval):
    return _state(key).randint(minval, maxval, tuple(shape))
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate jax.random.' + name)
