import math as _m
import numpy as _np
def _pick(a, rows):
    if hasattr(a, '_take'):
        return a._take(rows)
    return _np.asarray(a)[_np.array(rows)] if not isinstance(a, list) else [a[i] for i in rows]
def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    if stratify is not None:
        raise NotImplementedError('sandbatch does not simulate train_test_split with stratify')
    n = len(arrays[0])
    test = 0.25 if test_size is None else test_size
    k = _m.ceil(n * test) if isinstance(test, float) else test
    order = _np.random.RandomState(random_state).permutation(n).tolist() if shuffle else list(range(n - k, n)) + list(range(n - k))
    first, rest = order[:k], order[k:]
    out = []
    for a in arrays:
        out += [_pick(a, rest), _pick(a, first)]
    return out
class KFold:
    def __init__(self, n_splits=5, shuffle=False, random_state=None):
        self.n, self.shuffle, self.seed = n_splits, shuffle, random_state
    def get_n_splits(self, *args):
        return self.n
    def split(self, x, y=None):
        n = len(x)
        order = _np.random.RandomState(self.seed).permutation(n).tolist() if self.shuffle else list(range(n))
        at = 0
        for i in range(self.n):
            k = n // self.n + (1 if i < n % self.n else 0)
            test = sorted(order[at:at + k])
            at += k
            yield _np.array([j for j in range(n) if j not in test]), _np.array(test)
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate sklearn.model_selection.' + name)
