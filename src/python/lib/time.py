def _dates():
    import datetime
    return datetime
timezone = altzone = 0
daylight = 0
tzname = ('UTC', 'UTC')
monotonic_ns = time_ns
perf_counter_ns = lambda: int(perf_counter() * 1e9)
class struct_time(tuple):
    tm_year = property(lambda s: s[0])
    tm_mon = property(lambda s: s[1])
    tm_mday = property(lambda s: s[2])
    tm_hour = property(lambda s: s[3])
    tm_min = property(lambda s: s[4])
    tm_sec = property(lambda s: s[5])
    tm_wday = property(lambda s: s[6])
    tm_yday = property(lambda s: s[7])
def gmtime(t=None):
    d = _dates().datetime.fromtimestamp(time() if t is None else int(t))
    return struct_time((d.year, d.month, d.day, d.hour, d.minute, d.second, d.weekday(), d.toordinal() - _dates().date(d.year, 1, 1).toordinal() + 1, 0))
localtime = gmtime
def _datetime(t):
    t = gmtime() if t is None else t
    return _dates().datetime(*t[:6])
def strftime(f, t=None):
    return _datetime(t).strftime(f)
def asctime(t=None):
    d = _datetime(t)
    return d.strftime('%a %b ') + '%2d' % d.day + d.strftime(' %H:%M:%S %Y')
def ctime(t=None):
    return asctime(None if t is None else gmtime(t))
def strptime(s, f='%a %b %d %H:%M:%S %Y'):
    d = _dates().datetime.strptime(s, f)
    return struct_time((d.year, d.month, d.day, d.hour, d.minute, d.second, d.weekday(), d.toordinal() - _dates().date(d.year, 1, 1).toordinal() + 1, -1))
def thread_time():
    return process_time()
process_time_ns = lambda: int(process_time() * 1e9)
def mktime(t):
    return float(_datetime(t).timestamp())
