class YAMLError(Exception): pass
class SafeLoader: pass
FullLoader = Loader = SafeLoader
def _scalar(s):
    s = s.strip()
    if not s or s in ('~', 'null', 'Null', 'NULL'):
        return None
    if s[0] in '"\'' and s[-1] == s[0] and len(s) > 1:
        return s[1:-1].replace("''", "'") if s[0] == "'" else s[1:-1].replace('\\n', '\n').replace('\\"', '"')
    if s in ('true', 'True', 'yes', 'Yes', 'on', 'On'):
        return True
    if s in ('false', 'False', 'no', 'No', 'off', 'Off'):
        return False
    if s[0] == '[' and s[-1] == ']':
        return [_scalar(p) for p in _parts(s[1:-1])]
    if s[0] == '{' and s[-1] == '}':
        out = {}
        for p in _parts(s[1:-1]):
            k, _, v = p.partition(':')
            out[_scalar(k)] = _scalar(v)
        return out
    try:
        return int(s)
    except ValueError:
        pass
    if any([c.isdigit() for c in s]) and '.' in s:
        try:
            return float(s)
        except ValueError:
            pass
    return s
def _parts(s):
    out, depth, part = [], 0, ''
    for c in s:
        if c in '[{':
            depth += 1
        elif c in ']}':
            depth -= 1
        if c == ',' and not depth:
            out.append(part)
            part = ''
        else:
            part += c
    return out + [part] if part.strip() else out
def _clean(line):
    quote = ''
    for i, c in enumerate(line):
        if quote:
            if c == quote:
                quote = ''
        elif c in '"\'':
            quote = c
        elif c == '#' and (i == 0 or line[i - 1].isspace()):
            return line[:i]
    return line
def _colon(s):
    if s.endswith(':'):
        i = s.find(': ')
        return i if i >= 0 else len(s) - 1
    return s.find(': ')
def _block(lines, at, indent):
    n, s = lines[at]
    if s.startswith('- ') or s == '-':
        out = []
        while at < len(lines) and lines[at][0] == indent and (lines[at][1].startswith('- ') or lines[at][1] == '-'):
            rest = lines[at][1][2:].strip()
            if not rest:
                if at + 1 < len(lines) and lines[at + 1][0] > indent:
                    v, at = _block(lines, at + 1, lines[at + 1][0])
                else:
                    v, at = None, at + 1
            elif _colon(rest) > 0 and rest[0] not in '"\'[{':
                lines[at] = (indent + 2, rest)
                v, at = _block(lines, at, indent + 2)
            else:
                v, at = _scalar(rest), at + 1
            out.append(v)
        return out, at
    if _colon(s) > 0:
        out = {}
        while at < len(lines) and lines[at][0] == indent:
            s = lines[at][1]
            i = _colon(s)
            if i <= 0:
                raise YAMLError("could not find expected ':'")
            key, rest = _scalar(s[:i]), s[i + 1:].strip()
            at += 1
            if rest in ('|', '>', '|-', '>-'):
                text = []
                while at < len(lines) and lines[at][0] > indent:
                    text.append(lines[at][1])
                    at += 1
                out[key] = ('\n' if rest[0] == '|' else ' ').join(text) + ('' if rest.endswith('-') else '\n')
            elif rest:
                out[key] = _scalar(rest)
            elif at < len(lines) and (lines[at][0] > indent or lines[at][0] == indent and lines[at][1].startswith('- ')):
                out[key], at = _block(lines, at, lines[at][0])
            else:
                out[key] = None
        return out, at
    return _scalar(s), at + 1
def safe_load(text):
    if hasattr(text, 'read'):
        text = text.read()
    lines = []
    for line in text.split('\n'):
        line = _clean(line).rstrip()
        if line.strip() and line.strip() != '---':
            lines.append((len(line) - len(line.lstrip()), line.strip()))
    return _block(lines, 0, lines[0][0])[0] if lines else None
def load(text, Loader=None):
    return safe_load(text)
def _plain(x):
    if x is None:
        return 'null'
    if x is True or x is False:
        return str(x).lower()
    if isinstance(x, str):
        return "'" + x.replace("'", "''") + "'" if not x or _scalar(x) != x or ': ' in x or x[0] in '-[{#&*!|>%@`' else x
    return str(x)
def _lines(x, indent, sort):
    pad = ' ' * indent
    if isinstance(x, dict) and x:
        out = []
        for k in (sorted(x) if sort else x):
            v = x[k]
            if isinstance(v, dict) and v:
                out += [pad + _plain(k) + ':'] + _lines(v, indent + 2, sort)
            elif isinstance(v, (list, tuple)) and v:
                out += [pad + _plain(k) + ':'] + _lines(v, indent, sort)
            else:
                out.append(pad + _plain(k) + ': ' + _lines(v, 0, sort)[0])
        return out
    if isinstance(x, (list, tuple)) and x:
        out = []
        for v in x:
            inner = _lines(v, indent + 2, sort)
            out.append(pad + '- ' + inner[0][indent + 2:] if isinstance(v, (dict, list)) and v else pad + '- ' + inner[0].strip())
            out += inner[1:]
        return out
    return [pad + ('{}' if isinstance(x, dict) else '[]' if isinstance(x, (list, tuple)) else _plain(x))]
def safe_dump(x, stream=None, sort_keys=True, default_flow_style=False, **kwargs):
    text = '\n'.join(_lines(x, 0, sort_keys)) + '\n'
    if not isinstance(x, (dict, list, tuple)):
        text += '...\n'
    if stream is None:
        return text
    stream.write(text)
dump = safe_dump
