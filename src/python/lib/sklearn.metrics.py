import numpy as _np
def _a(x):
    return _np.asarray(getattr(x, 'values', x))
def accuracy_score(y, p):
    return float((_a(y) == _a(p)).mean())
def mean_squared_error(y, p, squared=True):
    m = float(((_a(y) - _a(p)) ** 2).mean())
    return m if squared else m ** 0.5
def mean_absolute_error(y, p):
    return float(_np.abs(_a(y) - _a(p)).mean())
def r2_score(y, p):
    y, p = _a(y).astype(_np.float64), _a(p)
    return float(1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum())
def confusion_matrix(y, p):
    y, p = _a(y).tolist(), _a(p).tolist()
    names = sorted(set(y) | set(p))
    return _np.array([[len([1 for a, b in zip(y, p) if a == r and b == c]) for c in names] for r in names])
def _counts(y, p, pos):
    y, p = _a(y).tolist(), _a(p).tolist()
    return (len([1 for a, b in zip(y, p) if a == pos and b == pos]), len([1 for b in p if b == pos]), len([1 for a in y if a == pos]))
def precision_score(y, p, pos_label=1):
    hit, said, there = _counts(y, p, pos_label)
    return hit / said if said else 0.0
def recall_score(y, p, pos_label=1):
    hit, said, there = _counts(y, p, pos_label)
    return hit / there if there else 0.0
def f1_score(y, p, pos_label=1):
    hit, said, there = _counts(y, p, pos_label)
    return 2 * hit / (said + there) if said + there else 0.0
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate sklearn.metrics.' + name)
