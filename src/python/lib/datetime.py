import time as _time
MINYEAR, MAXYEAR = 1, 9999
_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
_MON = [None, 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
_FULL = [None, 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
_DAY = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
def _leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
def _month_days(y, m):
    return 29 if m == 2 and _leap(y) else _DAYS[m]
def _ordinal(y, m, d):
    n = (y - 1) * 365 + (y - 1) // 4 - (y - 1) // 100 + (y - 1) // 400
    for i in range(1, m):
        n += _month_days(y, i)
    return n + d
def _from_ordinal(n):
    y = max(1, n * 400 // 146097)
    while _ordinal(y + 1, 1, 1) <= n:
        y += 1
    while _ordinal(y, 1, 1) > n:
        y -= 1
    d = n - _ordinal(y, 1, 1) + 1
    m = 1
    while d > _month_days(y, m):
        d -= _month_days(y, m)
        m += 1
    return y, m, d
class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        us = round((days + weeks * 7) * 86400000000 + (seconds + minutes * 60 + hours * 3600) * 1000000 + milliseconds * 1000 + microseconds)
        self._us = us
        self.days, rest = divmod(us, 86400000000)
        self.seconds, self.microseconds = divmod(rest, 1000000)
    def total_seconds(self):
        return self._us / 1000000
    def __add__(self, o):
        if isinstance(o, timedelta):
            return timedelta(microseconds=self._us + o._us)
        return NotImplemented
    def __sub__(self, o):
        return timedelta(microseconds=self._us - o._us)
    def __neg__(self):
        return timedelta(microseconds=-self._us)
    def __pos__(self):
        return self
    def __abs__(self):
        return timedelta(microseconds=abs(self._us))
    def __mod__(self, o):
        return timedelta(microseconds=self._us % o._us)
    def __divmod__(self, o):
        q, r = divmod(self._us, o._us)
        return q, timedelta(microseconds=r)
    __radd__ = lambda self, o: self + o
    def __mul__(self, n):
        return timedelta(microseconds=self._us * n)
    __rmul__ = __mul__
    def __truediv__(self, o):
        return self._us / o._us if isinstance(o, timedelta) else timedelta(microseconds=self._us / o)
    def __floordiv__(self, o):
        return self._us // o._us if isinstance(o, timedelta) else timedelta(microseconds=self._us // o)
    def __eq__(self, o):
        return isinstance(o, timedelta) and self._us == o._us
    def __lt__(self, o):
        return self._us < o._us
    def __le__(self, o):
        return self._us <= o._us
    def __gt__(self, o):
        return self._us > o._us
    def __ge__(self, o):
        return self._us >= o._us
    def __hash__(self):
        return hash(self._us)
    def __bool__(self):
        return self._us != 0
    def __str__(self):
        s = '%d:%02d:%02d' % (self.seconds // 3600, self.seconds // 60 % 60, self.seconds % 60)
        if self.microseconds:
            s += '.%06d' % self.microseconds
        if self.days:
            s = '%d day%s, ' % (self.days, '' if abs(self.days) == 1 else 's') + s
        return s
    def __repr__(self):
        parts = [n + '=' + str(getattr(self, n)) for n in ('days', 'seconds', 'microseconds') if getattr(self, n)]
        return 'datetime.timedelta(' + (', '.join(parts) or '0') + ')'
class tzinfo: pass
class timezone(tzinfo):
    def __init__(self, offset, name=None):
        self.offset, self.name = offset, name
    def utcoffset(self, dt=None):
        return self.offset
    def tzname(self, dt=None):
        if self.name is not None:
            return self.name
        return 'UTC' + _offset(self.offset) if self.offset else 'UTC'
    def dst(self, dt=None):
        return None
    __str__ = lambda self: self.tzname()
    def __eq__(self, o):
        return isinstance(o, timezone) and self.offset == o.offset
    def __hash__(self):
        return hash(self.offset)
    def __repr__(self):
        if self is timezone.utc:
            return 'datetime.timezone.utc'
        return 'datetime.timezone(%r)' % self.offset
def _offset(d, colon=True):
    s = int(d.total_seconds())
    sign, s = ('-', -s) if s < 0 else ('+', s)
    return '%s%02d%s%02d' % (sign, s // 3600, ':' if colon else '', s // 60 % 60)
timezone.utc = timezone(timedelta(0))
timedelta.min, timedelta.max, timedelta.resolution = timedelta(-999999999), timedelta(999999999), timedelta(microseconds=1)
UTC = timezone.utc
class _Week(tuple):
    year, week, weekday = [property(lambda self, i=i: self[i]) for i in range(3)]
    def __repr__(self):
        return 'datetime.IsoCalendarDate(year=%d, week=%d, weekday=%d)' % self
class date:
    hour = minute = second = microsecond = 0
    tzinfo = None
    def __init__(self, year, month, day):
        if not 1 <= year <= 9999:
            raise ValueError('year %d is out of range' % year)
        if not 1 <= month <= 12:
            raise ValueError('month must be in 1..12')
        if not 1 <= day <= _month_days(year, month):
            raise ValueError('day is out of range for month')
        self.year, self.month, self.day = year, month, day
    @classmethod
    def today(cls):
        d = datetime.now()
        return date(d.year, d.month, d.day)
    @classmethod
    def fromisoformat(cls, s):
        d = datetime._iso(s)
        return date(d.year, d.month, d.day)
    def _key(self):
        return (self.year, self.month, self.day)
    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)
    def weekday(self):
        return (self.toordinal() + 6) % 7
    def isoweekday(self):
        return self.weekday() + 1
    def isocalendar(self):
        n = self.toordinal()
        thursday = n - (n + 6) % 7 + 3
        y = _from_ordinal(thursday)[0]
        return _Week((y, (thursday - _ordinal(y, 1, 1)) // 7 + 1, self.weekday() + 1))
    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))
    @classmethod
    def fromtimestamp(cls, t):
        d = datetime.fromtimestamp(t)
        return date(d.year, d.month, d.day)
    def ctime(self):
        return self.strftime('%a %b %e %H:%M:%S %Y')
    def __radd__(self, o):
        return self + o
    def isoformat(self):
        return '%04d-%02d-%02d' % self._key()
    def __str__(self):
        return self.isoformat()
    def __repr__(self):
        return 'datetime.date(%d, %d, %d)' % self._key()
    def __add__(self, o):
        return date(*_from_ordinal(self.toordinal() + o.days))
    def __sub__(self, o):
        if isinstance(o, timedelta):
            return self + -o
        return timedelta(self.toordinal() - o.toordinal())
    def __eq__(self, o):
        return type(o) is type(self) and self._key() == o._key()
    def __lt__(self, o):
        return self._key() < o._key()
    def __le__(self, o):
        return self._key() <= o._key()
    def __gt__(self, o):
        return self._key() > o._key()
    def __ge__(self, o):
        return self._key() >= o._key()
    def __hash__(self):
        return hash(self._key())
    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)
    def replace(self, **k):
        return type(self)(*[k.get(n, getattr(self, n)) for n in self._names])
    _names = ('year', 'month', 'day')
    def strftime(self, f):
        out, i = [], 0
        h = self.hour % 12 or 12
        while i < len(f):
            c = f[i]
            if c != '%' or i + 1 >= len(f):
                out.append(c)
                i += 1
                continue
            c = f[i + 1]
            i += 2
            y = self.toordinal() - _ordinal(self.year, 1, 1) + 1
            table = {'Y': '%04d' % self.year, 'm': '%02d' % self.month, 'd': '%02d' % self.day, 'H': '%02d' % self.hour, 'M': '%02d' % self.minute,
                     'S': '%02d' % self.second, 'f': '%06d' % self.microsecond, 'y': '%02d' % (self.year % 100), 'j': '%03d' % y, 'I': '%02d' % h,
                     'p': 'PM' if self.hour >= 12 else 'AM', 'b': _MON[self.month], 'h': _MON[self.month], 'B': _FULL[self.month],
                     'a': _DAY[self.weekday()][:3], 'A': _DAY[self.weekday()], 'w': str((self.weekday() + 1) % 7), 'u': str(self.weekday() + 1),
                     'e': '%2d' % self.day, '%': '%', 'n': '\n', 't': '\t', 'Z': '' if self.tzinfo is None else self.tzinfo.tzname(self), 'z': '' if self.tzinfo is None else _offset(self.utcoffset(), False),
                     'U': '%02d' % ((y + 6 - (self.weekday() + 1) % 7) // 7), 'W': '%02d' % ((y + 6 - self.weekday()) // 7), 'G': '%04d' % self.isocalendar()[0], 'V': '%02d' % self.isocalendar()[1], 'C': '%02d' % (self.year // 100)}
            if c == 'F':
                out.append('%04d-%02d-%02d' % (self.year, self.month, self.day))
            elif c == 'T' or c == 'X':
                out.append('%02d:%02d:%02d' % (self.hour, self.minute, self.second))
            elif c == 'D' or c == 'x':
                out.append('%02d/%02d/%02d' % (self.month, self.day, self.year % 100))
            elif c == 'R':
                out.append('%02d:%02d' % (self.hour, self.minute))
            elif c == 'c':
                out.append(self.strftime('%a %b %e %H:%M:%S %Y'))
            elif c == 's':
                out.append(str(int(self.timestamp())))
            else:
                out.append(table.get(c, '%' + c))
        return ''.join(out)
    def timetuple(self):
        return _time.struct_time((self.year, self.month, self.day, self.hour, self.minute, self.second, self.weekday(), 0, -1))
class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        for name, v, top in (('hour', hour, 23), ('minute', minute, 59), ('second', second, 59)):
            if not 0 <= v <= top:
                raise ValueError('%s must be in 0..%d' % (name, top))
        self.tzinfo = tzinfo
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
    def __str__(self):
        s = '%02d:%02d:%02d' % (self.hour, self.minute, self.second)
        return s + '.%06d' % self.microsecond if self.microsecond else s
    isoformat = __str__
    def _key(self):
        return (self.hour, self.minute, self.second, self.microsecond)
    def __eq__(self, o):
        return isinstance(o, time) and self._key() == o._key()
    def __lt__(self, o):
        return self._key() < o._key()
    def __le__(self, o):
        return self._key() <= o._key()
    def __gt__(self, o):
        return self._key() > o._key()
    def __ge__(self, o):
        return self._key() >= o._key()
    def __hash__(self):
        return hash(self._key())
    def strftime(self, f):
        return datetime(1900, 1, 1, *self._key()).strftime(f)
    def replace(self, **k):
        return time(*[k.get(n, getattr(self, n)) for n in ('hour', 'minute', 'second', 'microsecond')])
    def __repr__(self):
        k = self._key()
        while len(k) > 2 and k[-1] == 0:
            k = k[:-1]
        return 'datetime.time(' + ', '.join([str(x) for x in k]) + ')'
    @classmethod
    def fromisoformat(cls, s):
        return datetime._iso('2000-01-01T' + s).time()
time.min, time.max = time(0, 0), time(23, 59, 59, 999999)
class datetime(date):
    _names = ('year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond', 'tzinfo')
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        super().__init__(year, month, day)
        for name, v, top in (('hour', hour, 23), ('minute', minute, 59), ('second', second, 59)):
            if not 0 <= v <= top:
                raise ValueError('%s must be in 0..%d' % (name, top))
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo
    @classmethod
    def fromtimestamp(cls, t, tz=None):
        us = round(t * 1000000) + (0 if tz is None else tz.utcoffset(None)._us)
        days, us = divmod(us, 86400000000)
        s, us = divmod(us, 1000000)
        y, m, d = _from_ordinal(719163 + days)
        return datetime(y, m, d, s // 3600, s // 60 % 60, s % 60, us, tz)
    utcfromtimestamp = fromtimestamp
    @classmethod
    def now(cls, tz=None):
        return datetime.fromtimestamp(_time.time(), tz)
    @classmethod
    def utcnow(cls):
        return datetime.now()
    today = utcnow
    @classmethod
    def combine(cls, d, t):
        return datetime(d.year, d.month, d.day, t.hour, t.minute, t.second, t.microsecond)
    @classmethod
    def _iso(cls, s):
        try:
            y, m, d = [int(x) for x in s[:10].split('-')]
            h = mi = se = us = 0
            if len(s) > 10:
                clock = s[11:]
                zone = None
                if clock.endswith('Z'):
                    clock, zone = clock[:-1], timezone.utc
                elif '+' in clock or '-' in clock:
                    at = max(clock.find('+'), clock.find('-'))
                    hh, mm = [int(x) for x in clock[at + 1:].split(':')[:2]]
                    off = timedelta(hours=hh, minutes=mm) * (-1 if clock[at] == '-' else 1)
                    clock, zone = clock[:at], timezone(off) if off else timezone.utc
                clock, _, part = clock.partition('.')
                n = [int(x) for x in clock.split(':')]
                h, mi, se = (n + [0, 0])[:3]
                us = int((part + '000000')[:6]) if part else 0
        except ValueError:
            raise ValueError('Invalid isoformat string: ' + repr(s)) from None
        return datetime(y, m, d, h, mi, se, us, zone if len(s) > 10 else None)
    @classmethod
    def fromisoformat(cls, s):
        return datetime._iso(s)
    @classmethod
    def strptime(cls, s, f):
        n, i = {}, 0
        j = 0
        while j < len(f):
            if f[j] != '%':
                if s[i:i + 1] != f[j]:
                    raise ValueError('time data %r does not match format %r' % (s, f))
                i += 1
                j += 1
                continue
            c = f[j + 1]
            j += 2
            if c in 'FTDR':
                f = f[:j] + {'F': '%Y-%m-%d', 'T': '%H:%M:%S', 'D': '%m/%d/%y', 'R': '%H:%M'}[c] + f[j:]
                continue
            if c in 'aA':
                names = [n[:3] for n in _DAY] if c == 'a' else _DAY
                hit = [x for x in names if s[i:i + len(x)].lower() == x.lower()]
                if not hit:
                    raise ValueError('time data %r does not match format %r' % (s, f))
                i += len(hit[0])
                continue
            if c == 'p':
                word = s[i:i + 2].upper()
                if word not in ('AM', 'PM'):
                    raise ValueError('time data %r does not match format %r' % (s, f))
                n['p'] = word
                i += 2
                continue
            if c == 'z':
                sign = s[i:i + 1]
                if s[i:i + 1] == 'Z':
                    n['z'] = timedelta(0)
                    i += 1
                    continue
                digits = s[i + 1:i + 6].replace(':', '')[:4]
                if sign not in ('+', '-') or not digits.isdigit():
                    raise ValueError('time data %r does not match format %r' % (s, f))
                n['z'] = timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if sign == '-' else 1)
                i += 6 if s[i + 3:i + 4] == ':' else 5
                continue
            if c in 'bB':
                names = _MON if c == 'b' else _FULL
                for k in range(1, 13):
                    if s.startswith(names[k], i):
                        n['m'] = k
                        i += len(names[k])
                        break
                continue
            width = {'Y': 4, 'f': 6, 'j': 3}.get(c, 2)
            k = i
            while k < len(s) and k - i < width and s[k].isdigit():
                k += 1
            if k == i:
                raise ValueError('time data %r does not match format %r' % (s, f))
            n[c] = int(s[i:k]) if c != 'f' else int((s[i:k] + '000000')[:6])
            i = k
        if i != len(s):
            raise ValueError('unconverted data remains: ' + s[i:])
        year = n.get('Y', 1900)
        if 'y' in n:
            year = n['y'] + (2000 if n['y'] < 69 else 1900)
        hour = n.get('H', 0)
        if 'I' in n:
            hour = n['I'] % 12 + (12 if n.get('p') == 'PM' else 0)
        zone = None if 'z' not in n else timezone(n['z']) if n['z'] else timezone.utc
        if 'j' in n:
            y, mo, d = _from_ordinal(_ordinal(year, 1, 1) + n['j'] - 1)
            return datetime(y, mo, d, hour, n.get('M', 0), n.get('S', 0), n.get('f', 0), zone)
        return datetime(year, n.get('m', 1), n.get('d', 1), hour, n.get('M', 0), n.get('S', 0), n.get('f', 0), zone)
    def _key(self):
        return (self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond)
    def date(self):
        return date(self.year, self.month, self.day)
    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)
    def timestamp(self):
        t = (self.toordinal() - 719163) * 86400 + self.hour * 3600 + self.minute * 60 + self.second + self.microsecond / 1000000
        return t - (0 if self.tzinfo is None else self.tzinfo.utcoffset(self).total_seconds())
    def isoformat(self, sep='T', timespec='auto'):
        s = '%04d-%02d-%02d' % (self.year, self.month, self.day) + sep + '%02d:%02d:%02d' % (self.hour, self.minute, self.second)
        if timespec == 'minutes':
            s = s[:-3]
        elif self.microsecond and timespec == 'auto' or timespec == 'microseconds':
            s += '.%06d' % self.microsecond
        elif timespec == 'milliseconds':
            s += '.%03d' % (self.microsecond // 1000)
        return s + ('' if self.tzinfo is None else _offset(self.utcoffset()))
    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)
    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)
    def __str__(self):
        return self.isoformat(' ')
    def __repr__(self):
        k = self._key()
        while len(k) > 5 and k[-1] == 0:
            k = k[:-1]
        return 'datetime.datetime(' + ', '.join([str(x) for x in k]) + ('' if self.tzinfo is None else ', tzinfo=%r' % (self.tzinfo,)) + ')'
    def _us(self):
        return self.toordinal() * 86400000000 + (self.hour * 3600 + self.minute * 60 + self.second) * 1000000 + self.microsecond
    def __add__(self, o):
        days, us = divmod(self._us() + o._us, 86400000000)
        y, m, d = _from_ordinal(days)
        s, us = divmod(us, 1000000)
        return datetime(y, m, d, s // 3600, s // 60 % 60, s % 60, us, self.tzinfo)
    def __sub__(self, o):
        if isinstance(o, timedelta):
            return self + -o
        return timedelta(microseconds=self._us() - o._us())
    def astimezone(self, tz=None):
        return datetime.fromtimestamp(self.timestamp(), tz or timezone.utc)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
