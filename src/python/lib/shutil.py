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
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate shutil.' + name)
