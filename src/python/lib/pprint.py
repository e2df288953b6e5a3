import sys as _sys
def _safe(x, sort):
    if type(x) is dict:
        if not x:
            return '{}'
        items = x.items()
        if sort:
            items = _sorted_items(items)
        return '{' + ', '.join([_safe(k, sort) + ': ' + _safe(v, sort) for k, v in items]) + '}'
    if type(x) is list:
        return '[' + ', '.join([_safe(v, sort) for v in x]) + ']'
    if type(x) is tuple:
        return '(' + ', '.join([_safe(v, sort) for v in x]) + (',)' if len(x) == 1 else ')')
    return repr(x)
def _sorted_items(items):
    try:
        return sorted(items, key=lambda p: p[0])
    except TypeError:
        return sorted(items, key=lambda p: (str(type(p[0])), repr(p[0])))
class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        self.n, self.w, self.s, self.c, self.sort = indent, width, stream, compact, sort_dicts
    def pprint(self, x):
        (self.s or _sys.stdout).write(self.pformat(x) + '\n')
    def pformat(self, x):
        return self._format(x, 0, 0)
    def _format(self, x, indent, after):
        text = _safe(x, self.sort)
        if len(text) <= self.w - indent - after:
            return text
        if isinstance(x, str) and ' ' in x:
            return self._text(x, indent, after)
        kind = type(x)
        if kind is dict and x:
            items = _sorted_items(x.items()) if self.sort else list(x.items())
            inner = indent + self.n
            out = []
            for i, (k, v) in enumerate(items):
                last = i == len(items) - 1
                key = _safe(k, self.sort)
                out.append(key + ': ' + self._format(v, inner + len(key) + 2, after + 1 if last else 1))
            return '{' + ' ' * (self.n - 1) + (',\n' + ' ' * inner).join(out) + '}'
        if kind in (list, tuple, set, frozenset) and len(x):
            a, b = {list: '[]', tuple: '()', set: '{}', frozenset: ('frozenset({', '})')}[kind]
            if kind is tuple and len(x) == 1:
                b = ',)'
            items = sorted(x) if kind in (set, frozenset) else list(x)
            inner = indent + self.n + (len(a) - 1)
            if self.c:
                return self._compact(items, a, b, inner, after)
            out = []
            for i, v in enumerate(items):
                last = i == len(items) - 1
                out.append(self._format(v, inner, after + len(b) if last else 1))
            return a + ' ' * (self.n - 1) + (',\n' + ' ' * inner).join(out) + b
        return text
    def _compact(self, items, a, b, inner, after):
        lines, line = [], ''
        for i, v in enumerate(items):
            t = _safe(v, self.sort)
            end = b if i == len(items) - 1 else ','
            if line and inner + len(line) + 1 + len(t) + len(end) > self.w:
                lines.append(line)
                line = ''
            line += (' ' if line else '') + t + ('' if i == len(items) - 1 else ',')
        lines.append(line)
        return a + ('\n' + ' ' * inner).join(lines) + b
    def _text(self, s, indent, after):
        chunks, lines = [], s.splitlines(True)
        if indent == 0:
            indent += 1
            after += 1
            wrap = True
        else:
            wrap = False
        width = last_width = self.w - indent
        for i, line in enumerate(lines):
            rep = repr(line)
            if i == len(lines) - 1:
                last_width -= after
            if len(rep) <= last_width:
                chunks.append(rep)
                continue
            parts, word = [], ''
            for j, c in enumerate(line):
                word += c
                if c.isspace() and j + 1 < len(line) and not line[j + 1].isspace():
                    parts.append(word)
                    word = ''
            if word:
                parts.append(word)
            current = ''
            for j, part in enumerate(parts):
                candidate = current + part
                most = last_width if j == len(parts) - 1 and i == len(lines) - 1 else width
                if len(repr(candidate)) > most:
                    if current:
                        chunks.append(repr(current))
                    current = part
                else:
                    current = candidate
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return chunks[0]
        text = ('\n' + ' ' * indent).join(chunks)
        return '(' + text + ')' if wrap else text
def pformat(x, **kwargs):
    return PrettyPrinter(**kwargs).pformat(x)
def pprint(x, stream=None, **kwargs):
    PrettyPrinter(stream=stream, **kwargs).pprint(x)
def pp(x, *args, sort_dicts=False, **kwargs):
    pprint(x, *args, sort_dicts=sort_dicts, **kwargs)
