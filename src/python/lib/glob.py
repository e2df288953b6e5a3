import os
def _matches(name, pattern):
    if not pattern:
        return not name
    c = pattern[0]
    if c == '*':
        for i in range(len(name) + 1):
            if _matches(name[i:], pattern[1:]):
                return True
        return False
    if not name:
        return False
    if c == '[' and ']' in pattern[2:]:
        end = pattern.index(']', 2)
        body = pattern[1:end]
        negate = body[0] in '!^'
        if negate:
            body = body[1:]
        hit, i = False, 0
        while i < len(body):
            if body[i + 1:i + 2] == '-' and i + 2 < len(body):
                hit = hit or body[i] <= name[0] <= body[i + 2]
                i += 3
            else:
                hit = hit or body[i] == name[0]
                i += 1
        return hit != negate and _matches(name[1:], pattern[end + 1:])
    return (c == '?' or c == name[0]) and _matches(name[1:], pattern[1:])
def glob(pattern, *, recursive=False):
    return list(iglob(pattern, recursive=recursive))
def iglob(pattern, *, recursive=False):
    pattern = os.fspath(pattern)
    parts = pattern.split('/')
    found = ['/' if pattern.startswith('/') else '']
    for i, part in enumerate(parts):
        if not part:
            continue
        new = []
        for base in found:
            if part == '**' and recursive:
                new.append(base)
                for top, dirs, files in os.walk(base or '.'):
                    new.extend([os.path.join(top, d)[0 if base else 2:] for d in dirs])
            elif '*' in part or '?' in part or '[' in part:
                try:
                    names = os.listdir(base or '.')
                except OSError:
                    continue
                for n in names:
                    if _matches(n, part) and (not n.startswith('.') or part.startswith('.')):
                        new.append(os.path.join(base, n) if base else n)
            elif os.path.exists(os.path.join(base, part) if base else part):
                new.append(os.path.join(base, part) if base else part)
        found = new
    yield from found
def escape(p):
    return p
