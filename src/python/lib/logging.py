import sys
import time
CRITICAL, ERROR, WARNING, INFO, DEBUG, NOTSET = 50, 40, 30, 20, 10, 0
_NAMES = {50: 'CRITICAL', 40: 'ERROR', 30: 'WARNING', 20: 'INFO', 10: 'DEBUG', 0: 'NOTSET'}
_LEVELS = {v: k for k, v in _NAMES.items()}
def getLevelName(n):
    return _NAMES.get(n, 'Level %s' % n)
def _level(x):
    return _LEVELS[x] if isinstance(x, str) else x
class Formatter:
    def __init__(self, fmt=None, datefmt=None, style='%'):
        self.fmt, self.datefmt, self.style = fmt or '%(message)s', datefmt, style
    def format(self, r):
        t = time.strftime(self.datefmt or '%Y-%m-%d %H:%M:%S', time.localtime(r['created']))
        if not self.datefmt:
            t += ',%03d' % int(r['created'] % 1 * 1000)
        values = dict(r, asctime=t)
        text = self.fmt.format(**values) if self.style == '{' else self.fmt % values
        if r['exc_text']:
            text += '\n' + r['exc_text'].rstrip('\n')
        return text
class Handler:
    def __init__(self):
        self.level, self.formatter = 0, None
    def setLevel(self, level):
        self.level = _level(level)
    def setFormatter(self, f):
        self.formatter = f
    def handle(self, r):
        if r['levelno'] >= self.level:
            self.emit((self.formatter or Formatter()).format(r))
class StreamHandler(Handler):
    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream
    def emit(self, text):
        s = self.stream or sys.stderr
        s.write(text + '\n')
        s.flush()
class FileHandler(StreamHandler):
    def __init__(self, filename, mode='a', encoding=None):
        super().__init__(open(filename, mode))
class NullHandler(Handler):
    def emit(self, text):
        pass
class Logger:
    def __init__(self, name, parent):
        self.name, self.parent, self.level, self.handlers, self.propagate = name, parent, 0, [], True
    def setLevel(self, level):
        self.level = _level(level)
    def addHandler(self, h):
        self.handlers.append(h)
    def hasHandlers(self):
        return bool(self.handlers or self.parent and self.parent.handlers)
    def getEffectiveLevel(self):
        return self.level or (self.parent.getEffectiveLevel() if self.parent else 30)
    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()
    def log(self, level, msg, *args, exc_info=None):
        if level < self.getEffectiveLevel():
            return
        text = str(msg) % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args) if args else str(msg)
        r = {'name': self.name, 'levelno': level, 'levelname': getLevelName(level), 'message': text, 'created': time.time(), 'exc_text': _traceback(None) if exc_info else '',
             'process': _pid(), 'filename': '', 'lineno': 0, 'funcName': '', 'module': '', 'threadName': 'MainThread'}
        logger, found = self, False
        while logger:
            for h in logger.handlers:
                h.handle(r)
                found = True
            logger = logger.parent if logger.propagate else None
        if not found and level >= 30:
            sys.stderr.write(text + ('\n' + r['exc_text'].rstrip('\n') if r['exc_text'] else '') + '\n')
    def debug(self, msg, *a, **k): self.log(10, msg, *a, **k)
    def info(self, msg, *a, **k): self.log(20, msg, *a, **k)
    def warning(self, msg, *a, **k): self.log(30, msg, *a, **k)
    warn = warning
    def error(self, msg, *a, **k): self.log(40, msg, *a, **k)
    def critical(self, msg, *a, **k): self.log(50, msg, *a, **k)
    def exception(self, msg, *a): self.log(40, msg, *a, exc_info=True)
def _pid():
    import os
    return os.getpid()
root = Logger('root', None)
_loggers = {}
def getLogger(name=None):
    if not name or name == 'root':
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name, root)
    return _loggers[name]
def basicConfig(level=None, format=None, datefmt=None, filename=None, filemode='a', stream=None, handlers=None, force=False, style='%'):
    if root.handlers and not force:
        return
    if level is not None:
        root.setLevel(level)
    if handlers is None:
        handlers = [FileHandler(filename, filemode) if filename else StreamHandler(stream)]
    for h in handlers:
        if h.formatter is None:
            h.setFormatter(Formatter(format or '%(levelname)s:%(name)s:%(message)s', datefmt, style))
        root.addHandler(h)
def _root(level):
    def f(msg, *a, **k):
        if not root.handlers:
            basicConfig()
        root.log(level, msg, *a, **k)
    return f
debug, info, warning, error, critical = [_root(n) for n in (10, 20, 30, 40, 50)]
def exception(msg, *a):
    error(msg, *a, exc_info=True)
def disable(level=50):
    pass
def shutdown():
    pass
def getLevelNamesMapping():
    return {'CRITICAL': 50, 'ERROR': 40, 'WARNING': 30, 'INFO': 20, 'DEBUG': 10, 'NOTSET': 0}
def captureWarnings(on):
    pass
def addLevelName(level, name):
    _NAMES[level] = name
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate logging.' + name)
