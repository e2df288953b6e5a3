# Functions of lists, functions and files.
import os, sys, time
from _r_calls import CALLS, arg, call, hidden
from _r_run import apply
from _r_show import show, texts
from _r_values import ARGS, NULL, RError, Unknown, V, VISIBLE, bad, txt
from _r_vectors import join, one, picked, truth
@call('cat')
def f(v, n, a):
    sep = one(n['sep']) if 'sep' in n else ' '
    parts = [t for x in v for t in texts(x, 7)]
    out = ''
    for i, p in enumerate(parts):
        out += p + (sep if i + 1 < len(parts) else '')
    if 'file' in n and one(n['file']) == 'stderr!':
        sys.stdout.flush()
        sys.stderr.write(out)
    elif 'file' in n and one(n['file']):
        open(one(n['file']), 'a' if 'append' in n and truth(n['append']) else 'w').write(out)
    else:
        sys.stdout.write(out)
    return hidden(NULL)
@call('print')
def f(v, n, a):
    if n or len(v) > 1:
        raise Unknown('print with options')
    sys.stdout.write(show(v[0]))
    return hidden(v[0])
@call('message')
def f(v, n, a):
    sys.stdout.flush()
    sys.stderr.write(''.join([t for x in v for t in texts(x)]) + '\n')
    return hidden(NULL)
@call('writeLines')
def f(v, n, a):
    to_ = arg(v, n, 1, 'con')
    out = ''.join([s + '\n' for s in v[0].x])
    if to_ is None or one(to_) == '':
        sys.stdout.write(out)
    else:
        sys.stderr.write(out) if one(to_) == 'stderr!' else open(one(to_), 'w').write(out)
    return hidden(NULL)
@call('readLines', 'readline')
def f(v, n, a):
    name = one(arg(v, n, 0, 'con', txt('stdin')))
    most = arg(v, n, 1, 'n')
    try:
        source = sys.stdin if name == 'stdin' else open(name)
    except OSError:
        raise Unknown('readLines of a missing file')
    if most is not None and one(most) >= 0:
        return V('character', [l.rstrip('\n') for l in [source.readline() for _ in range(int(one(most)))] if l])
    return V('character', source.read().splitlines())
@call('stop')
def f(v, n, a):
    raise RError(''.join([t for x in v for t in texts(x)]))
@call('quit', 'q')
def f(v, n, a):
    raise SystemExit(int(one(n['status'])) if 'status' in n else int(one(v[1])) if len(v) > 1 else 0)
@call('Sys.getenv')
def f(v, n, a):
    if not v:
        raise Unknown('Sys.getenv()')
    other = one(arg(v, n, 1, 'unset', txt('')))
    return V('character', [os.environ.get(s, other) for s in v[0].x])
@call('Sys.sleep')
def f(v, n, a):
    sys.stdout.flush()
    time.sleep(one(v[0]))
    return hidden(NULL)
@call('Sys.info')
def f(v, n, a):
    return V('character', ['Linux', os.uname().nodename, os.environ.get('USER', '')], ['sysname', 'nodename', 'user'])
@call('commandArgs')
def f(v, n, a):
    if not (v and truth(v[0]) or 'trailingOnly' in n and truth(n['trailingOnly'])):
        raise Unknown('commandArgs()')
    return V('character', list(ARGS))
def mapped(kind):
    def g(v, n, a):
        items = v[0].x if v[0].kind == 'list' else [V(v[0].kind, [x]) for x in v[0].x]
        rest = [(m, x) for m, x in a if m not in (None, 'X', 'FUN', 'FUN.VALUE', 'USE.NAMES')]
        out = [apply(v[1], [(None, x)] + rest) for x in items]
        VISIBLE[0] = True
        names = v[0].names or (list(v[0].x) if v[0].kind == 'character' and kind != 'lapply' else None)
        if kind == 'lapply' or not all([isinstance(x, V) and len(x.x) == 1 and x.kind != 'list' for x in out]) or not out:
            if kind != 'lapply' and out and len(set([len(x.x) if isinstance(x, V) else 0 for x in out])) == 1:
                raise Unknown('a matrix')
            return V('list', out, names)
        made = join(out)
        return V(made.kind, made.x, names)
    return g
CALLS['sapply'], CALLS['lapply'], CALLS['vapply'] = mapped('sapply'), mapped('lapply'), mapped('vapply')
CALLS['Filter'] = lambda v, n, a: picked(v[1], V('logical', [truth(apply(v[0], [(None, x if v[1].kind == 'list' else V(v[1].kind, [x]))])) for x in v[1].x]))
@call('Reduce')
def f(v, n, a):
    if n or len(v) != 2 or not v[1].x:
        raise Unknown('Reduce')
    items = v[1].x if v[1].kind == 'list' else [V(v[1].kind, [x]) for x in v[1].x]
    out = items[0]
    for x in items[1:]:
        out = apply(v[0], [(None, out), (None, x)])
    return out
CALLS['do.call'] = lambda v, n, a: apply(v[0] if not isinstance(v[0], V) else CALLS.get(one(v[0])) or bad('do.call'), [((v[1].names or [''] * len(v[1].x))[i] or None, x) for i, x in enumerate(v[1].x)])
