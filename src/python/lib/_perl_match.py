# Patterns: matching, substitution and transliteration.
import re
from _perl_values import GROUPS, N, Unknown, text, v, yes
# Texts and patterns
CLASSES = {'alpha': 'a-zA-Z', 'digit': '0-9', 'alnum': 'a-zA-Z0-9', 'upper': 'A-Z', 'lower': 'a-z', 'space': r'\s', 'xdigit': '0-9a-fA-F', 'punct': '!-/:-@\\[-`{-~'}
COMPILED = {}
def pattern(p, flags):
    key = (p, flags)
    if key not in COMPILED:
        q = re.sub(r'\[:(\w+):\]', lambda m: CLASSES.get(m.group(1), ''), p)
        q = re.sub(r'\\([zhR])', lambda m: {'z': r'\Z', 'h': r'[ \t]', 'R': r'\r?\n'}[m.group(1)], q.replace('(?<', '(?P<').replace('(?P<=', '(?<=').replace('(?P<!', '(?<!'))
        number = sum([{'i': re.I, 'm': re.M, 's': re.S, 'x': re.X}.get(f, 0) for f in set(flags)])
        try:
            COMPILED[key] = re.compile(q, number)
        except Exception:
            raise Unknown('the pattern /%s/' % p)
    return COMPILED[key]
def group(n):
    m = GROUPS[0]
    return m.group(n) if m and n <= len(m.groups()) else None
POS = {}
def match_node(source, flags, on):
    def one(e):
        m = pattern(source(e), flags.replace('g', '')).search(text(on.s(e)))
        if m:
            GROUPS[0] = m
        return yes(m)
    def step(e):
        # Each `while (/.../g)` goes on behind the last match.
        where = on.name(e) if on.kind == 'scalar' else on
        s, key = text(on.s(e)), id(where)
        start = POS.get(key, 0)
        m = pattern(source(e), flags.replace('g', '')).search(s[start:]) if start <= len(s) else None
        if not m:
            POS.pop(key, None)
            return ''
        GROUPS[0] = m
        POS[key] = start + m.end() + (1 if m.end() == m.start() else 0)
        return 1
    def all(e):
        if 'g' not in flags:
            m = pattern(source(e), flags).search(text(on.s(e)))
            if m:
                GROUPS[0] = m
            return (list(m.groups()) or [1]) if m else []
        out = []
        for m in pattern(source(e), flags.replace('g', '')).finditer(text(on.s(e))):
            GROUPS[0] = m
            out.extend(m.groups() or [m.group(0)])
        return out
    return N(step if 'g' in flags else one, all)
HERE = N(lambda e: v('$_')[0], put=lambda e, x: keep_value(x), kind='scalar', name=lambda e: v('$_'))
def keep_value(x):
    v('$_')[0] = x
    return x
def match_over(source, flags):
    plain = match_node(source, flags, HERE)
    node = N(plain.s, plain.l, kind='match', name=lambda on: match_node(source, flags, on))
    node.source, node.flags = source, flags
    return node
def substitute_over(source, made, flags):
    def over(on):
        def run(e):
            s, count = text(on.s(e)), [0]
            def one(m):
                count[0] += 1
                GROUPS[0] = m
                return made(e)
            p = pattern(source(e), ''.join([f for f in flags if f in 'imsx']))
            new = p.sub(one, s, count=0 if 'g' in flags else 1)
            if 'r' in flags:
                return new
            if count[0]:
                on.put(e, new)
            return count[0] or ''
        return N(run)
    here = over(HERE)
    return N(here.s, kind='match', name=over)
def spread(s):
    out, i = [], 0
    while i < len(s):
        if s[i] == '\\' and i + 1 < len(s):
            out.append({'n': '\n', 't': '\t'}.get(s[i + 1], s[i + 1]))
            i += 2
        elif i + 2 < len(s) and s[i + 1] == '-':
            out.extend([chr(c) for c in range(ord(s[i]), ord(s[i + 2]) + 1)])
            i += 3
        else:
            out.append(s[i])
            i += 1
    return out
def translate_over(a, b, flags):
    if 'c' in flags or 's' in flags:
        raise Unknown('tr with the flags ' + flags)
    a, b = spread(a), spread(b)
    if not b and 'd' not in flags:
        b = a
    table = {c: (b[i] if i < len(b) else '' if 'd' in flags else b[-1]) for i, c in reversed(list(enumerate(a)))}
    def over(on):
        def run(e):
            s = text(on.s(e))
            new = ''.join([table.get(c, c) for c in s])
            if 'r' in flags:
                return new
            if new != s:
                on.put(e, new)
            return len([c for c in s if c in table])
        return N(run)
    here = over(HERE)
    return N(here.s, kind='match', name=over)
