import os
sep = '/'
def join(a, *p):
    a = os.fspath(a)
    for b in p:
        b = os.fspath(b)
        if b.startswith('/'):
            a = b
        elif not a or a.endswith('/'):
            a += b
        else:
            a += '/' + b
    return a
def split(p):
    p = os.fspath(p)
    i = p.rfind('/') + 1
    head, tail = p[:i], p[i:]
    if head and head != '/' * len(head):
        head = head.rstrip('/')
    return head, tail
def basename(p):
    return split(p)[1]
def dirname(p):
    return split(p)[0]
def splitext(p):
    p = os.fspath(p)
    base = p.rfind('/') + 1
    i = p.rfind('.')
    if i > base and p[base:i].strip('.'):
        return p[:i], p[i:]
    return p, ''
def isabs(p):
    return os.fspath(p).startswith('/')
def exists(p):
    return os._stat(p) is not None
lexists = exists
def isfile(p):
    st = os._stat(p)
    return st is not None and st[2] == 1
def isdir(p):
    st = os._stat(p)
    return st is not None and st[2] == 2
def islink(p):
    return False
def getsize(p):
    return os._stat(p, True)[0]
def getmtime(p):
    return os._stat(p, True)[1]
getctime = getatime = getmtime
def normpath(p):
    p = os.fspath(p)
    if not p:
        return '.'
    root = '/' if p.startswith('/') else ''
    out = []
    for part in p.split('/'):
        if part in ('', '.'):
            continue
        if part == '..' and (out and out[-1] != '..' or root):
            if out:
                out.pop()
        else:
            out.append(part)
    return (root + '/'.join(out)) or '.'
def abspath(p):
    p = os.fspath(p)
    return normpath(p if p.startswith('/') else join(os.getcwd(), p))
realpath = abspath
def relpath(p, start=None):
    a = [x for x in abspath(start or '.').split('/') if x]
    b = [x for x in abspath(p).split('/') if x]
    n = 0
    while n < len(a) and n < len(b) and a[n] == b[n]:
        n += 1
    return '/'.join(['..'] * (len(a) - n) + b[n:]) or '.'
def expanduser(p):
    p = os.fspath(p)
    if p == '~' or p.startswith('~/'):
        return os.environ.get('HOME', '~') + p[1:]
    return p
def expandvars(p):
    for k, v in os.environ.items():
        p = p.replace('${' + k + '}', v).replace('$' + k, v)
    return p
def commonprefix(m):
    if not m:
        return ''
    a, b = min(m), max(m)
    for i, c in enumerate(a):
        if c != b[i]:
            return a[:i]
    return a
