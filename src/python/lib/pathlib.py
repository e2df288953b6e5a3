import os
class PurePath:
    def __init__(self, *parts):
        p = os.path.join(*[os.fspath(x) for x in parts]) if parts else '.'
        lead = '/' if p.startswith('/') else ''
        self._p = lead + '/'.join([x for x in p.split('/') if x not in ('', '.')]) or '.'
    def __str__(self):
        return self._p
    __fspath__ = __str__
    def __repr__(self):
        return 'PosixPath(' + repr(self._p) + ')'
    def __truediv__(self, other):
        return Path(self._p, other)
    def __rtruediv__(self, other):
        return Path(other, self._p)
    def __eq__(self, other):
        return isinstance(other, PurePath) and self._p == other._p
    def __lt__(self, other):
        return self._p < other._p
    def __hash__(self):
        return hash(self._p)
    name = property(lambda self: os.path.basename(self._p))
    suffix = property(lambda self: os.path.splitext(self.name)[1])
    stem = property(lambda self: os.path.splitext(self.name)[0])
    suffixes = property(lambda self: ['.' + p for p in self.name.lstrip('.').split('.')[1:]])
    anchor = root = property(lambda self: '/' if self._p.startswith('/') else '')
    @property
    def parts(self):
        return tuple((['/'] if self._p.startswith('/') else []) + [x for x in self._p.split('/') if x])
    @property
    def parent(self):
        return Path(os.path.dirname(self._p) or '.')
    @property
    def parents(self):
        out, p = [], self
        while str(p.parent) != str(p):
            p = p.parent
            out.append(p)
        return out
    def with_suffix(self, s):
        return self.parent / (self.stem + s)
    def with_name(self, n):
        return self.parent / n
    def with_stem(self, s):
        return self.with_name(s + self.suffix)
    def is_relative_to(self, o):
        o = os.fspath(o)
        return self._p == o or self._p.startswith(o.rstrip('/') + '/')
    def __le__(self, other):
        return self._p <= other._p
    def __gt__(self, other):
        return self._p > other._p
    def joinpath(self, *o):
        return Path(self._p, *o)
    def is_absolute(self):
        return self._p.startswith('/')
    def as_posix(self):
        return self._p
    def relative_to(self, o):
        o = os.fspath(o)
        if o in ('.', ''):
            return Path(self._p)
        if self._p == o:
            return Path('.')
        if not self._p.startswith(o.rstrip('/') + '/'):
            raise ValueError('%r is not in the subpath of %r OR one path is relative and the other is absolute.' % (self._p, o))
        return Path(self._p[len(o.rstrip('/')) + 1:])
    def match(self, pattern):
        import glob
        return glob._matches(self.name, pattern)
class Path(PurePath):
    @classmethod
    def cwd(cls):
        return Path(os.getcwd())
    @classmethod
    def home(cls):
        return Path(os.path.expanduser('~'))
    def exists(self):
        return os.path.exists(self._p)
    def is_file(self):
        return os.path.isfile(self._p)
    def is_dir(self):
        return os.path.isdir(self._p)
    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return open(self._p, mode, newline=newline)
    def read_text(self, encoding=None):
        with open(self._p) as f:
            return f.read()
    def read_bytes(self):
        with open(self._p, 'rb') as f:
            return f.read()
    def write_text(self, text, encoding=None):
        with open(self._p, 'w') as f:
            return f.write(text)
    def write_bytes(self, data):
        with open(self._p, 'wb') as f:
            return f.write(data)
    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if parents:
            os.makedirs(self._p, exist_ok=exist_ok)
            return
        try:
            os.mkdir(self._p)
        except FileExistsError:
            if not exist_ok:
                raise
    def unlink(self, missing_ok=False):
        try:
            os.remove(self._p)
        except FileNotFoundError:
            if not missing_ok:
                raise
    def rmdir(self):
        os.rmdir(self._p)
    def rename(self, o):
        os.rename(self._p, o)
        return Path(o)
    replace = rename
    def touch(self, exist_ok=True):
        open(self._p, 'a').close()
    def stat(self):
        return os.stat(self._p)
    def iterdir(self):
        for n in os.listdir(self._p):
            yield self / n
    def glob(self, pattern):
        import glob
        for p in glob.glob(os.path.join(self._p, pattern), recursive=True):
            yield Path(p) if self._p != '.' else Path(p[2:] if p.startswith('./') else p)
    def rglob(self, pattern):
        return self.glob('**/' + pattern)
    def resolve(self, strict=False):
        return Path(os.path.abspath(self._p))
    def absolute(self):
        return Path(os.getcwd(), self._p)
    def is_symlink(self):
        return os.path.islink(self._p)
    def symlink_to(self, target):
        os.symlink(os.fspath(target), self._p)
    def chmod(self, mode):
        os.chmod(self._p, mode)
    def samefile(self, o):
        return os.path.abspath(self._p) == os.path.abspath(o)
    def owner(self):
        return os.environ.get('USER', '')
    def read_lines(self):
        return self.read_text().splitlines()
    def expanduser(self):
        return Path(os.path.expanduser(self._p))
PosixPath = Path
