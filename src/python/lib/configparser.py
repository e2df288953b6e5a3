class Error(Exception): pass
class NoSectionError(Error):
    def __init__(self, section):
        self.args = ('No section: %r' % (section,),)
class NoOptionError(Error):
    def __init__(self, option, section):
        self.args = ('No option %r in section: %r' % (option, section),)
class SectionProxy:
    def __init__(self, parser, name):
        self._p, self.name = parser, name
    def __getitem__(self, k):
        if not self._p.has_option(self.name, k):
            raise KeyError(k)
        return self._p.get(self.name, k)
    def __setitem__(self, k, v):
        self._p.set(self.name, k, v)
    def __contains__(self, k):
        return self._p.has_option(self.name, k)
    def __iter__(self):
        return iter(self._p.options(self.name))
    def keys(self):
        return self._p.options(self.name)
    def items(self):
        return self._p.items(self.name)
    def get(self, k, fallback=None):
        return self._p.get(self.name, k, fallback=fallback)
    def getint(self, k, fallback=None):
        return self._p.getint(self.name, k, fallback=fallback)
    def getfloat(self, k, fallback=None):
        return self._p.getfloat(self.name, k, fallback=fallback)
    def getboolean(self, k, fallback=None):
        return self._p.getboolean(self.name, k, fallback=fallback)
_none = ['none']
class ConfigParser:
    def __init__(self, defaults=None, **kwargs):
        self._defaults, self._s = {k.lower(): str(v) for k, v in (defaults or {}).items()}, {}
    def optionxform(self, k):
        return k.lower()
    def read(self, names, encoding=None):
        done = []
        for n in ([names] if isinstance(names, str) or hasattr(names, '__fspath__') else names):
            try:
                with open(n) as f:
                    self.read_file(f)
                done.append(n)
            except OSError:
                pass
        return done
    def read_string(self, text):
        self.read_file(text.splitlines(True))
    def read_file(self, lines):
        section = key = None
        for line in lines:
            s = line.strip()
            if not s or s[0] in '#;':
                continue
            if line[0].isspace() and key is not None:
                section[key] += '\n' + s
            elif s[0] == '[' and ']' in s:
                name = s[1:s.index(']')]
                section = self._defaults if name == 'DEFAULT' else self._s.setdefault(name, {})
                key = None
            else:
                i = min([s.index(c) for c in '=:' if c in s] or [len(s)])
                key = self.optionxform(s[:i].strip())
                section[key] = s[i + 1:].strip()
    def read_dict(self, d):
        for name, values in d.items():
            self._s.setdefault(name, {}).update({self.optionxform(k): str(v) for k, v in values.items()})
    def sections(self):
        return list(self._s)
    def has_section(self, name):
        return name in self._s
    def add_section(self, name):
        self._s[name] = {}
    def remove_section(self, name):
        return self._s.pop(name, None) is not None
    def options(self, name):
        return list(self._s[name]) + [k for k in self._defaults if k not in self._s[name]]
    def has_option(self, name, k):
        k = self.optionxform(k)
        return k in self._s.get(name, {}) or k in self._defaults
    def items(self, name=None):
        if name is None:
            return [(n, SectionProxy(self, n)) for n in ['DEFAULT'] + self.sections()]
        return [(k, self.get(name, k)) for k in self.options(name)]
    def get(self, name, k, *, raw=False, vars=None, fallback=_none):
        if name not in self._s and name != 'DEFAULT':
            if fallback is not _none:
                return fallback
            raise NoSectionError(name)
        k = self.optionxform(k)
        own = self._s.get(name, {})
        if k in own or k in self._defaults:
            v = own[k] if k in own else self._defaults[k]
            while '%(' in v:
                a, _, rest = v.partition('%(')
                inner, _, b = rest.partition(')s')
                v = a + self.get(name, inner) + b
            return v
        if fallback is not _none:
            return fallback
        raise NoOptionError(k, name)
    def getint(self, name, k, *, fallback=_none):
        v = self.get(name, k, fallback=fallback)
        return int(v) if isinstance(v, str) else v
    def getfloat(self, name, k, *, fallback=_none):
        v = self.get(name, k, fallback=fallback)
        return float(v) if isinstance(v, str) else v
    def getboolean(self, name, k, *, fallback=_none):
        v = self.get(name, k, fallback=fallback)
        if not isinstance(v, str):
            return v
        if v.lower() not in ('1', 'yes', 'true', 'on', '0', 'no', 'false', 'off'):
            raise ValueError('Not a boolean: ' + v)
        return v.lower() in ('1', 'yes', 'true', 'on')
    def set(self, name, k, v):
        if name not in self._s:
            raise NoSectionError(name)
        self._s[name][self.optionxform(k)] = v
    def write(self, f):
        for name, values in self._s.items():
            f.write('[' + name + ']\n')
            for k, v in values.items():
                f.write(k + ' = ' + v.replace('\n', '\n\t') + '\n')
            f.write('\n')
    def __getitem__(self, name):
        if name not in self._s and name != 'DEFAULT':
            raise KeyError(name)
        return SectionProxy(self, name)
    def __setitem__(self, name, values):
        self._s[name] = {self.optionxform(k): str(v) for k, v in values.items()}
    def __contains__(self, name):
        return name in self._s or name == 'DEFAULT'
    def __iter__(self):
        return iter(['DEFAULT'] + self.sections())
RawConfigParser = SafeConfigParser = ConfigParser
