import os.path as path
class _Environ(dict):
    def __getitem__(self, key):
        if key in self:
            return self.get(key)
        raise KeyError(key)
    def copy(self):
        return dict(self)
environ = _Environ(_environ())
name = 'posix'
sep = '/'
linesep = '\n'
pathsep = ':'
curdir = '.'
pardir = '..'
devnull = '/dev/null'
error = OSError
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
unlink = remove
replace = rename
def getenv(key, default=None):
    return environ.get(key, default)
def putenv(key, value):
    environ[key] = value
def cpu_count():
    return _cpus()[0]
def sched_getaffinity(pid):
    return set(range(_cpus()[1]))
def getlogin():
    return environ.get('USER', '')
def makedirs(name, mode=0o777, exist_ok=False):
    name = fspath(name)
    head = path.dirname(name.rstrip('/'))
    if head and not path.exists(head):
        makedirs(head, exist_ok=True)
    try:
        mkdir(name)
    except FileExistsError:
        if not exist_ok or not path.isdir(name):
            raise
def removedirs(name):
    rmdir(name)
def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    return p.__fspath__()
def urandom(n):
    return _random(n)
def access(p, mode):
    return path.exists(p)
class stat_result:
    def __init__(self, st):
        self.st_size, self.st_mtime, kind, mode = st
        self.st_mode = mode | (0o040000 if kind == 2 else 0o100000)
        self.st_ctime = self.st_atime = self.st_mtime
def stat(p):
    return stat_result(_stat(p, True))
def uname():
    import socket
    class uname_result:
        sysname, nodename, release = 'Linux', socket.gethostname(), '6.1.0'
        version, machine = '#1 SMP', 'x86_64'
    return uname_result()
class DirEntry:
    def __init__(self, folder, name):
        self.name = name
        self.path = path.join(folder, name)
    def is_dir(self):
        return path.isdir(self.path)
    def is_file(self):
        return path.isfile(self.path)
    def stat(self):
        return stat(self.path)
    def __fspath__(self):
        return self.path
def scandir(p='.'):
    return iter([DirEntry(p, n) for n in listdir(p)])
def walk(top, topdown=True):
    dirs, files = [], []
    try:
        names = listdir(top)
    except OSError:
        return
    for n in names:
        (dirs if path.isdir(path.join(top, n)) else files).append(n)
    if topdown:
        yield top, dirs, files
    for d in dirs:
        yield from walk(path.join(top, d), topdown)
    if not topdown:
        yield top, dirs, files
def system(command):
    import subprocess
    code = subprocess.call(['/bin/sh', '-c', command])
    return code << 8 if code >= 0 else -code
def popen(command):
    import subprocess, io
    return io.StringIO(subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True).stdout)
WNOHANG, WUNTRACED = 1, 2
def fork():
    pid = _fork()
    if pid == 0:
        _in_child()
    return pid
def _in_child():
    import threading
    threading._after_fork()
def wait():
    return _wait_for(-1, False)
def waitpid(pid, options):
    return _wait_for(pid, bool(options & WNOHANG))
def waitstatus_to_exitcode(status):
    return -(status & 127) if status & 127 else status >> 8
def fdopen(fd, mode='r', buffering=-1, *args, **kwargs):
    return _file(fd, 'w' in mode or 'a' in mode, 'b' in mode, buffering == 1)
def WIFEXITED(status):
    return status & 127 == 0
def WEXITSTATUS(status):
    return status >> 8
def WIFSIGNALED(status):
    return status & 127 != 0
def WTERMSIG(status):
    return status & 127
def pipe():
    import subprocess
    return subprocess._pipe()
def read(fd, n):
    import subprocess
    return subprocess._read(fd, n)
def close(fd):
    import subprocess
    subprocess._close(fd)
def getloadavg():
    return (0.0, 0.0, 0.0)
def __getattr__(name):
    raise AttributeError("module 'os' has no attribute '" + name + "'")
