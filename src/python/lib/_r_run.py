# Runs expressions and calls functions.
import re
from _r_calls import CALLS, CONSTANTS
from _r_values import DEFINED, DEPTH, Env, F, GLOBAL, Leave, NULL, RError, Unknown, V, VISIBLE, bad, lgl
from _r_vectors import element, one, picked, replaced, to, truth
def run(e, env):
    VISIBLE[0] = True
    what = e[0]
    if what == 'const':
        return e[1]
    if what == 'name':
        v = env.get(e[1])
        if v is None:
            v = CONSTANTS.get(e[1]) or CALLS.get(e[1])
            if v is None:
                raise RError("object '%s' not found" % e[1])
        return v
    if what == 'paren':
        v = run(e[1], env)
        VISIBLE[0] = True
        return v
    if what == 'block':
        v = NULL
        for s in e[1]:
            v = run(s, env)
        return v
    if what == 'set':
        value = run(e[2], env)
        target = e[1]
        while target[0] in ('at', 'at2') or target[0] == 'call' and target[1] == ('name', 'names') and len(target[2]) == 1:
            inner = target[2][0][1] if target[0] == 'call' else target[1]
            old = run(inner, env) if inner[0] != 'name' or env.get(inner[1]) is not None else NULL
            if target[0] == 'call':
                value = V(old.kind, old.x, to(value, 'character').x)
            else:
                value = replaced(old, run(target[2], env), value, target[0] == 'at2')
            target = inner
        if target[0] == 'const' and target[1].kind == 'character':
            target = ('name', one(target[1]))
        if target[0] != 'name':
            raise Unknown('such an assignment')
        at = env
        if e[3]:
            at = env.parent or GLOBAL
            while at.parent is not None and target[1] not in at.v:
                at = at.parent
        at.v[target[1]] = value
        VISIBLE[0] = False
        return value
    if what == 'if':
        if truth(run(e[1], env)):
            return run(e[2], env)
        if e[3]:
            return run(e[3], env)
        VISIBLE[0] = False
        return NULL
    if what in ('for', 'while'):
        over = run(e[2], env) if what == 'for' else None
        i = 0
        while truth(run(e[1], env)) if over is None else i < len(over.x):
            if over is not None:
                env.v[e[1]] = over.x[i] if over.kind == 'list' else V(over.kind, [over.x[i]])
                i += 1
            try:
                run(e[3] if over is not None else e[2], env)
            except Leave as l:
                if l.args[0] == 'break':
                    break
                if l.args[0] != 'next':
                    raise
        VISIBLE[0] = False
        return NULL
    if what in ('break', 'next'):
        raise Leave(what)
    if what == 'function':
        return F(e[1], e[2], env)
    if what == 'at':
        return picked(run(e[1], env), run(e[2], env))
    if what == 'at2':
        return element(run(e[1], env), run(e[2], env))
    if e[1][0] == 'name':
        name = e[1][1].split('::')[-1]
        if name in ('&&', '||'):
            a = truth(run(e[2][0][1], env))
            return lgl(a and truth(run(e[2][1][1], env))) if name == '&&' else lgl(a or truth(run(e[2][1][1], env)))
        if name == 'return':
            raise Leave('return', run(e[2][0][1], env) if e[2] else NULL)
        if name in ('library', 'require', 'suppressPackageStartupMessages', 'requireNamespace'):
            which = e[2][0][1]
            which = which[1] if which[0] == 'name' else one(which[1]) if which[0] == 'const' else bad(name)
            if which not in ('parallel', 'stats', 'utils', 'methods', 'base'):
                raise Unknown('library(%s)' % which)
            VISIBLE[0] = False
            return NULL
        if name in ('suppressWarnings', 'suppressMessages'):
            return run(e[2][0][1], env)
        f = env.get(name)
        if not (isinstance(f, F) or callable(f)):
            f = CALLS.get(name)
        if f is None:
            if re.search(r'^[\w.]+$', name) and name in DEFINED:
                raise RError('could not find function "%s"' % name)
            raise Unknown(name)
    else:
        f = run(e[1], env)
    args = []
    for name, a in e[2]:
        if a == ('name', '...'):
            args += env.get('...') or []
        else:
            args.append((name, run(a, env)))
    VISIBLE[0] = True
    return apply(f, args)
def apply(f, args):
    if isinstance(f, F):
        DEPTH[0] += 1
        if DEPTH[0] > 40:
            raise Unknown('more than 40 nested calls')
        e = Env(f.env)
        names = [p for p, _ in f.params]
        rest = []
        for name, v in args:
            if name in names:
                e.v[name] = v
            else:
                rest.append((name, v))
        for p, _ in f.params:
            if p == '...':
                e.v[p], rest = rest, []
            elif p not in e.v and rest:
                e.v[p] = rest.pop(0)[1]
        if rest:
            raise RError('unused argument')
        for p, d in f.params:
            if p not in e.v and d is not None:
                e.v[p] = run(d, e)
        try:
            return run(f.body, e)
        except Leave as l:
            if l.args[0] != 'return':
                raise
            VISIBLE[0] = True
            return l.args[1]
        finally:
            DEPTH[0] -= 1
    values = [v for n, v in args if n is None]
    named = {n: v for n, v in args if n is not None}
    return f(values, named, args)
