import re as _re
_safe = _re.compile(r'^[\w@%+=:,./-]+$')
def quote(s):
    if not s:
        return "''"
    return s if _safe.match(s) else "'" + s.replace("'", "'\"'\"'") + "'"
def join(words):
    return ' '.join([quote(w) for w in words])
def split(s, comments=False, posix=True):
    words, word, i, n = [], None, 0, len(s)
    while i < n:
        c = s[i]
        if c in ' \t\r\n':
            if word is not None:
                words.append(word)
                word = None
        elif comments and c == '#':
            i = s.find('\n', i)
            if i < 0:
                break
        elif c == '\\':
            i += 1
            if i == n:
                raise ValueError('No escaped character')
            word = (word or '') + s[i]
        elif c in '\'"':
            word = word or ''
            i += 1
            while i < n and s[i] != c:
                if c == '"' and s[i] == '\\' and s[i + 1:i + 2] in ('"', '\\'):
                    i += 1
                word += s[i]
                i += 1
            if i >= n:
                raise ValueError('No closing quotation')
        else:
            word = (word or '') + c
        i += 1
    if word is not None:
        words.append(word)
    return words
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate shlex.' + name)
