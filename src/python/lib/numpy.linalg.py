import math as _m
import _host
import numpy as _np
class LinAlgError(ValueError): pass
def _cost(n):
    _host.work(int(n * n * n / 10000), True)
def norm(a, ord=None, axis=None):
    a = _np.asarray(a)
    if axis is not None:
        return _np.sqrt((a * a).sum(axis))
    if ord == 1:
        return _np.abs(a).sum() if a.ndim == 1 else _np.abs(a).sum(0).max()
    if ord == _m.inf:
        return float(_np.abs(a).max() if a.ndim == 1 else _np.abs(a).sum(1).max())
    if ord not in (None, 2, 'fro') or ord == 2 and a.ndim == 2:
        raise NotImplementedError('sandbatch does not simulate numpy.linalg.norm with ord=%r' % (ord,))
    return _m.sqrt((a * a).sum())
def _square(a):
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise LinAlgError('Last 2 dimensions of the array must be square')
    if a.shape[0] > 300:
        raise NotImplementedError('sandbatch solves systems of at most 300 equations')
    _cost(a.shape[0])
def solve(a, b):
    a, b = _np.asarray(a), _np.asarray(b)
    _square(a)
    n = a.shape[0]
    one = b.ndim == 1
    m = [list(map(float, r)) + ([float(y)] if one else list(map(float, y))) for r, y in zip(a.tolist(), b.tolist())]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        if m[p][i] == 0:
            raise LinAlgError('Singular matrix')
        m[i], m[p] = m[p], m[i]
        row, pivot = m[i], m[i][i]
        for r in range(i + 1, n):
            f = m[r][i] / pivot
            if f:
                m[r] = [x - f * y for x, y in zip(m[r], row)]
    width = len(m[0]) - n
    for i in reversed(range(n)):
        for k in range(width):
            s = m[i][n + k]
            for j in range(i + 1, n):
                s -= m[i][j] * m[j][n + k]
            m[i][n + k] = s / m[i][i]
    x = [r[n:] for r in m]
    return _np.array([r[0] for r in x] if one else x)
def inv(a):
    a = _np.asarray(a)
    return solve(a, _np.eye(a.shape[0]))
def det(a):
    a = _np.asarray(a)
    _square(a)
    m, d = [list(map(float, r)) for r in a.tolist()], 1.0
    n = len(m)
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        if m[p][i] == 0:
            return 0.0
        if p != i:
            m[i], m[p] = m[p], m[i]
            d = -d
        d *= m[i][i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            m[r] = [x - f * y for x, y in zip(m[r], m[i])]
    return d
def matrix_power(a, n):
    r = _np.eye(a.shape[0], dtype=a.dtype)
    for _ in range(n):
        r = r @ a
    return r
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate numpy.linalg.' + name)
