import math as _m
class StatisticsError(ValueError): pass
StatisticsError.__module__ = 'statistics'
def _data(d):
    d = list(d)
    return d
def _shape(x):
    return int(x) if isinstance(x, float) and x == int(x) and False else x
def mean(d):
    d = _data(d)
    if not d:
        raise StatisticsError('mean requires at least one data point')
    if all([isinstance(x, int) for x in d]):
        s = sum(d)
        return s // len(d) if s % len(d) == 0 else s / len(d)
    return _m.fsum(d) / len(d)
def fmean(d):
    d = _data(d)
    return _m.fsum(d) / len(d)
def median(d):
    d = sorted(d)
    n = len(d)
    if not n:
        raise StatisticsError('no median for empty data')
    return d[n // 2] if n % 2 else (d[n // 2 - 1] + d[n // 2]) / 2
def median_low(d):
    d = sorted(d)
    if not d:
        raise StatisticsError('no median for empty data')
    return d[(len(d) - 1) // 2]
def median_high(d):
    d = sorted(d)
    if not d:
        raise StatisticsError('no median for empty data')
    return d[len(d) // 2]
def multimode(d):
    c = {}
    for x in d:
        c[x] = c.get(x, 0) + 1
    top = max(c.values()) if c else 0
    return [k for k in c if c[k] == top]
def quantiles(d, *, n=4, method='exclusive'):
    d = sorted(d)
    if len(d) < 2:
        raise StatisticsError('must have at least two data points')
    out, size = [], len(d)
    m = size - 1 if method == 'inclusive' else size + 1
    for i in range(1, n):
        if method == 'inclusive':
            j, delta = divmod(i * m, n)
            out.append((d[j] * (n - delta) + d[j + 1] * delta) / n)
        else:
            j = i * m // n
            j = 1 if j < 1 else size - 1 if j > size - 1 else j
            delta = i * m - j * n
            out.append((d[j - 1] * (n - delta) + d[j] * delta) / n)
    return out
def harmonic_mean(d):
    d = list(d)
    if not d:
        raise StatisticsError('harmonic_mean requires at least one data point')
    if all([isinstance(x, int) for x in d]):
        p, q = 0, 1
        for x in d:
            p, q = p * x + q, q * x
        return len(d) * q / p
    return len(d) / _m.fsum([1 / x for x in d])
def geometric_mean(d):
    d = list(d)
    if not d:
        raise StatisticsError('must have at least one data point')
    return _m.exp(_m.fsum([_m.log(x) for x in d]) / len(d))
def covariance(x, y):
    a, b = fmean(x), fmean(y)
    return _m.fsum([(p - a) * (q - b) for p, q in zip(x, y)]) / (len(x) - 1)
def correlation(x, y):
    a, b = fmean(x), fmean(y)
    s = _m.fsum([(p - a) * (q - b) for p, q in zip(x, y)])
    return s / _m.sqrt(_m.fsum([(p - a) ** 2 for p in x]) * _m.fsum([(q - b) ** 2 for q in y]))
def mode(d):
    d = list(d)
    if not d:
        raise StatisticsError('no mode for empty data')
    c = {}
    for x in d:
        c[x] = c.get(x, 0) + 1
    return max(c, key=lambda k: c[k])
def _spread(d, less):
    # Exact for whole numbers, as CPython's fractions are.
    n = len(d)
    top = n * sum([x * x for x in d]) - sum(d) ** 2
    low = n * (n - less)
    return top // low if top % low == 0 else top / low
def pvariance(d):
    d = _data(d)
    if not d:
        raise StatisticsError('pvariance requires at least one data point')
    if all([isinstance(x, int) for x in d]):
        return _spread(d, 0)
    m = _m.fsum(d) / len(d)
    return _m.fsum([(x - m) ** 2 for x in d]) / len(d)
def variance(d):
    d = _data(d)
    if len(d) < 2:
        raise StatisticsError('variance requires at least two data points')
    if all([isinstance(x, int) for x in d]):
        return _spread(d, 1)
    m = _m.fsum(d) / len(d)
    return _m.fsum([(x - m) ** 2 for x in d]) / (len(d) - 1)
def stdev(d):
    return _m.sqrt(variance(d))
def pstdev(d):
    return _m.sqrt(pvariance(d))
