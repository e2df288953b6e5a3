# What runs: operators, loops, subroutines, variables and elements.
import math, re
from _perl_values import Die, Env, Jump, N, NAME, NUMBER, ROOT, Return, Unknown, die, num, text, true, v, whole, yes
def arith(op, line):
    def divide(a, b):
        if b == 0:
            die('Illegal division by zero', line)
        return whole(a / b)
    def rest(a, b):
        a, b = int(a), int(b)
        if b == 0:
            die('Illegal modulus zero', line)
        return a % b
    def power(a, b):
        try:
            return a ** b if isinstance(b, int) and b >= 0 and abs(a) ** b < 1 << 63 else whole(float(a) ** b)
        except (OverflowError, ZeroDivisionError):
            return math.inf
    f = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '/': divide, '%': rest, '**': power,
         '<<': lambda a, b: int(a) << int(b), '>>': lambda a, b: int(a) >> int(b), '&': lambda a, b: int(a) & int(b),
         '|': lambda a, b: int(a) | int(b), '^': lambda a, b: int(a) ^ int(b)}.get(op)
    if f:
        return lambda a, b: whole(f(num(a), num(b)))
    if op == '.':
        return lambda a, b: text(a) + text(b)
    f = {'==': lambda a, b: a == b, '!=': lambda a, b: a != b, '<': lambda a, b: a < b, '>': lambda a, b: a > b,
         '<=': lambda a, b: a <= b, '>=': lambda a, b: a >= b}.get(op)
    if f:
        return lambda a, b: yes(f(num(a), num(b)))
    f = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b, 'gt': lambda a, b: a > b,
         'le': lambda a, b: a <= b, 'ge': lambda a, b: a >= b}.get(op)
    if f:
        return lambda a, b: yes(f(text(a), text(b)))
    if op == '<=>':
        return lambda a, b: (num(a) > num(b)) - (num(a) < num(b))
    if op == 'cmp':
        return lambda a, b: (text(a) > text(b)) - (text(a) < text(b))
    if op == 'x':
        return lambda a, b: text(a) * max(int(num(b)), 0)
def keep(cell, line):
    cell[0] = line
    return yes(line is not None)
ERRNO = [0]
def block(all):
    def run(e):
        last = None
        for f in all:
            last = f(e)
        return last
    return run
def modified(word, run, test):
    if word == 'if':
        return lambda e: run(e) if true(test.s(e)) else None
    if word == 'unless':
        return lambda e: run(e) if not true(test.s(e)) else None
    if word in ('while', 'until'):
        return lambda e: repeat('', e, None, test, None, run, word == 'until')
    def each(e):
        saved = v('$_')
        array = test.name(e) if test.kind == 'array' else None
        for i, x in enumerate(list(test.l(e))):
            ROOT.vars['$_'] = [x]
            go = loop('', lambda: run(e), True)
            if array is not None and i < len(array):
                array[i] = v('$_')[0]
            if not go:
                break
        ROOT.vars['$_'] = saved
    return each
def loop(label, run, bare=False):
    try:
        value = run()
    except Jump as j:
        if j.args[1] and j.args[1] != label:
            raise
        return j.args[0] == 'next'
    return True if bare else value
def repeat(label, e, start, test, step, body, until):
    while true(test.s(e)) != until:
        inner = Env(e)
        if not loop(label, lambda: body(inner), True):
            break
        step and step.s(e)
def jump(word, label):
    raise Jump(word, label)
def back(value, e):
    raise Return([] if value is None else value.l(e))
def closure(body, env):
    def run(args):
        e = Env(env)
        e.vars['@_'] = args
        try:
            return body(e) or []
        except Return as r:
            return r.args[0]
    return run
DEPTH = [0]
def invoke(f, args, name=''):
    if f is None:
        raise Die('Undefined subroutine &main::%s called at %s.\n' % (name, NAME[0]))
    DEPTH[0] += 1
    if DEPTH[0] > 60:
        raise Unknown('more than 60 nested calls')
    try:
        return f(list(args))
    finally:
        DEPTH[0] -= 1
def logic(op, a, b):
    test = {'&&': true, '//': lambda x: x is None, '||': lambda x: not true(x)}[op]
    def either(e, of):
        x = a.s(e)
        return of(e) if test(x) else x
    def several(e):
        x = a.s(e)
        return b.l(e) if test(x) else [x]
    return N(lambda e: either(e, b.s), several)
def bumped(x, op):
    if op == '++' and isinstance(x, str) and x and not NUMBER.match(x) and re.match(r'[a-zA-Z]*[0-9]*$', x):
        return after(x)
    return num(x) + (1 if op == '++' else -1)
def after(s):
    out, i = list(s), len(s) - 1
    while i >= 0:
        c = out[i]
        if c not in 'zZ9':
            out[i] = chr(ord(c) + 1)
            return ''.join(out)
        out[i] = {'z': 'a', 'Z': 'A', '9': '0'}[c]
        i -= 1
    return {'a': 'a', 'A': 'A', '0': '1'}[out[0]] + ''.join(out)
def index_get(array, i):
    return array[i] if -len(array) <= i < len(array) else None
def index_node(array, at):
    def put(e, x):
        a, i = array(e), int(num(at.s(e)))
        i = i + len(a) if i < 0 else i
        if i >= len(a):
            if i > 1000000:
                raise Unknown('an array of %d elements' % i)
            a.extend([None] * (i + 1 - len(a)))
        a[i] = x
        return x
    return N(lambda e: index_get(array(e), int(num(at.s(e)))), put=put, kind='element', name=('[', array, at))
def key_node(hash, key):
    def put(e, x):
        hash(e)[text(key.s(e))] = x
        return x
    return N(lambda e: hash(e).get(text(key.s(e))), put=put, kind='element', name=('{', hash, key))
def pairs(values):
    return {text(values[i]): values[i + 1] if i + 1 < len(values) else None for i in range(0, len(values), 2)}
def variable(sigil, find):
    if sigil == '$':
        def put(e, x):
            find(e)[0] = x
            return x
        return N(lambda e: find(e)[0], put=put, kind='scalar', name=find)
    def fill(e, values):
        if sigil == '@':
            find(e)[:] = values
        else:
            h = find(e)
            made = pairs(values)
            h.clear()
            h.update(made)
    if sigil == '@':
        return N(lambda e: len(find(e)), lambda e: list(find(e)), fill, 'array', find)
    return N(lambda e: len(find(e)), lambda e: [x for p in find(e).items() for x in p], fill, 'hash', find)
def list_put(nodes):
    if any([n.put is None for n in nodes]):
        return None
    def put(e, values):
        rest = list(values)
        for n in nodes:
            if n.kind in ('array', 'hash'):
                n.put(e, rest)
                rest = []
            else:
                n.put(e, rest.pop(0) if rest else None)
    return put
