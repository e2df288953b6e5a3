import os
def gettempdir():
    return os.environ.get('TMPDIR', '/tmp')
def _name():
    return ''.join(['abcdefghijklmnopqrstuvwxyz012345'[b & 31] for b in os.urandom(8)])
def mkdtemp(suffix='', prefix='tmp', dir=None):
    p = os.path.join(dir or gettempdir(), prefix + _name() + suffix)
    os.mkdir(p)
    return p
class TemporaryDirectory:
    def __init__(self, suffix='', prefix='tmp', dir=None):
        self.name = mkdtemp(suffix, prefix, dir)
    def __enter__(self):
        return self.name
    def __exit__(self, *exc):
        self.cleanup()
    def cleanup(self):
        import shutil
        shutil.rmtree(self.name)
class NamedTemporaryFile:
    def __init__(self, mode='w+b', buffering=-1, encoding=None, newline=None, suffix='', prefix='tmp', dir=None, delete=True):
        self.name = os.path.join(dir or gettempdir(), prefix + _name() + (suffix or ''))
        open(self.name, 'x').close()
        self.file = self._f = open(self.name, mode.replace('w', 'r') if '+' in mode else mode)
        self._delete = delete
    def __getattr__(self, name):
        return getattr(self._f, name)
    def __iter__(self):
        return iter(self._f)
    def close(self):
        self._f.close()
        if self._delete and os.path.exists(self.name):
            os.remove(self.name)
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.close()
def TemporaryFile(mode='w+b', **kwargs):
    return NamedTemporaryFile(mode, **kwargs)
def mkstemp(suffix='', prefix='tmp', dir=None, text=False):
    p = os.path.join(dir or gettempdir(), prefix + _name() + (suffix or ''))
    f = open(p, 'x')
    _kept.append(f)
    return f.fileno(), p
_kept = []
tempdir = None
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate tempfile.' + name)
