import sys as _sys, time as _time
class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, leave=True, file=None, disable=False, unit='it', **kwargs):
        self._it, self.desc, self.total, self.n, self._off = iterable, desc, total, 0, disable
        if total is None and iterable is not None and hasattr(iterable, '__len__'):
            self.total = len(iterable)
        self._file, self._leave, self.unit, self._start, self._post = file or _sys.stderr, leave, unit, _time.time(), ''
        self._shown = 0.0
        self._show()
    def _clock(self, s):
        s = int(s)
        return '%02d:%02d' % (s // 60, s % 60) if s < 3600 else '%d:%02d:%02d' % (s // 3600, s // 60 % 60, s % 60)
    def _show(self, end=''):
        if self._off:
            return
        t = _time.time() - self._start
        rate = self.n / t if t > 0 and self.n else 0
        speed = '?' + self.unit + '/s' if not rate else '%.2f' % rate + self.unit + '/s' if rate >= 1 else '%.2fs/' % (1 / rate) + self.unit
        head = self.desc + ': ' if self.desc else ''
        if self.total:
            part = self.n / self.total
            rest = self._clock((self.total - self.n) / rate) if rate else '?'
            bar = '#' * int(part * 10)
            text = '%s%3d%%|%s| %d/%d [%s<%s, %s%s]' % (head, int(part * 100), bar.ljust(10), self.n, self.total, self._clock(t), rest, speed, self._post)
        else:
            text = '%s%d%s [%s, %s%s]' % (head, self.n, self.unit, self._clock(t), speed, self._post)
        self._file.write('\r' + text + end)
        self._file.flush()
        self._shown = _time.time()
    def __iter__(self):
        for x in self._it:
            yield x
            self.update(1)
        self.close()
    def __len__(self):
        return self.total
    def update(self, n=1):
        self.n += n
        if _time.time() - self._shown >= 0.1:
            self._show()
    def set_description(self, text=None, refresh=True):
        self.desc = text
    def set_postfix(self, d=None, **kwargs):
        items = list((d or {}).items()) + list(kwargs.items())
        self._post = ', ' + ', '.join([k + '=' + ('%.3g' % v if isinstance(v, float) else str(v)) for k, v in items])
    def close(self):
        if not self._off:
            self._show('\n' if self._leave else '')
            self._off = True
    @staticmethod
    def write(text, file=None, end='\n'):
        (file or _sys.stdout).write(text + end)
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.close()
def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)
