import os
class Error(OSError): pass
def copyfile(a, b):
    with open(a, 'rb') as f:
        data = f.read()
    with open(b, 'wb') as f:
        f.write(data)
    return b
def copy(a, b):
    if os.path.isdir(b):
        b = os.path.join(b, os.path.basename(a))
    return copyfile(a, b)
copy2 = copy
def ignore_patterns(*patterns):
    import glob
    return lambda folder, names: {n for n in names for p in patterns if glob._matches(n, p)}
def move(a, b):
    if os.path.isdir(b):
        b = os.path.join(b, os.path.basename(a))
    os.rename(a, b)
    return b
def rmtree(p, ignore_errors=False):
    if ignore_errors and not os.path.exists(p):
        return
    for n in os.listdir(p):
        q = os.path.join(p, n)
        if os.path.isdir(q):
            rmtree(q)
        else:
            os.remove(q)
    os.rmdir(p)
def copytree(a, b, dirs_exist_ok=False):
    os.makedirs(b, exist_ok=dirs_exist_ok)
    for n in os.listdir(a):
        x, y = os.path.join(a, n), os.path.join(b, n)
        if os.path.isdir(x):
            copytree(x, y, dirs_exist_ok)
        else:
            copyfile(x, y)
    return b
def which(name):
    for d in os.environ.get('PATH', '').split(':'):
        p = os.path.join(d, name)
        if os.path.isfile(p):
            return p
    return None
class _Usage(tuple):
    total, used, free = [property(lambda self, i=i: self[i]) for i in range(3)]
    def __repr__(self):
        return 'usage(total=%d, used=%d, free=%d)' % self
def disk_usage(path):
    import subprocess
    words = subprocess.run(['df', '-k', str(path)], stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1].split()
    total, used = int(words[1]) * 1024, int(words[2]) * 1024
    return _Usage((total, used, total - used))
def copyfileobj(a, b, length=0):
    b.write(a.read())
def copymode(a, b):
    os.chmod(b, os.stat(a).st_mode & 0o777)
copystat = copymode
class _Size(tuple):
    columns, lines = property(lambda self: self[0]), property(lambda self: self[1])
def get_terminal_size(fallback=(80, 24)):
    return _Size((int(os.environ.get('COLUMNS', fallback[0])), int(os.environ.get('LINES', fallback[1]))))
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate shutil.' + name)
