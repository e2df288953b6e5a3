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
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate tempfile.' + name)
