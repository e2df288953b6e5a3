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
def mode(d):
    c = {}
    for x in d:
        c[x] = c.get(x, 0) + 1
    return max(c, key=lambda k: c[k])
def pvariance(d):
    d = _data(d)
    m = _m.fsum(d) / len(d)
    return _m.fsum([(x - m) ** 2 for x in d]) / len(d)
def variance(d):
    d = _data(d)
    if len(d) < 2:
        raise StatisticsError('variance requires at least two data points')
    m = _m.fsum(d) / len(d)
    return _m.fsum([(x - m) ** 2 for x in d]) / (len(d) - 1)
def stdev(d):
    return _m.sqrt(variance(d))
def pstdev(d):
    return _m.sqrt(pvariance(d))
