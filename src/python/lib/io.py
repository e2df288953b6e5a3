class StringIO:
    def __init__(self, text=''):
        self._t, self._i, self.closed = text, 0, False
    def write(self, s):
        self._t = self._t[:self._i] + s + self._t[self._i + len(s):] if self._i < len(self._t) else self._t + s
        self._i = len(self._t) if self._i + len(s) >= len(self._t) else self._i + len(s)
        return len(s)
    def getvalue(self):
        return self._t
    def read(self, n=-1):
        s = self._t[self._i:] if n is None or n < 0 else self._t[self._i:self._i + n]
        self._i += len(s)
        return s
    def readline(self):
        j = self._t.find('\n', self._i)
        s = self._t[self._i:] if j < 0 else self._t[self._i:j + 1]
        self._i += len(s)
        return s
    def readlines(self):
        return list(self)
    def __iter__(self):
        while True:
            s = self.readline()
            if not s:
                return
            yield s
    def seek(self, i, whence=0):
        self._i = i + (0 if whence == 0 else self._i if whence == 1 else len(self._t))
        return self._i
    def tell(self):
        return self._i
    def truncate(self, size=None):
        self._t = self._t[:self._i if size is None else size]
    def writelines(self, lines):
        for line in lines:
            self.write(line)
    def readable(self):
        return True
    writable = seekable = readable
    def isatty(self):
        return False
    def flush(self):
        pass
    def close(self):
        self.closed = True
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        pass
class BytesIO(StringIO):
    def __init__(self, data=b''):
        self._t, self._i, self.closed = bytes(data), 0, False
    def readline(self):
        rest = self._t[self._i:]
        j = rest.find(b'\n')
        s = rest if j < 0 else rest[:j + 1]
        self._i += len(s)
        return s
    def getbuffer(self):
        return self._t
UnsupportedOperation = UnsupportedOperation
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
open = open
TextIOWrapper = type(__import__('sys').stdout)
