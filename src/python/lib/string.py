ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = '0123456789abcdefABCDEF'
punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
whitespace = ' \t\n\r\x0b\x0c'
printable = digits + ascii_letters + punctuation + whitespace
def capwords(s):
    return ' '.join([w.capitalize() for w in s.split()])
octdigits = '01234567'
class Template:
    delimiter = '$'
    def __init__(self, template):
        self.template = template
    def _fill(self, values, safe):
        out, i, s = [], 0, self.template
        while i < len(s):
            c = s[i]
            if c != '$':
                out.append(c)
                i += 1
                continue
            if s[i + 1:i + 2] == '$':
                out.append('$')
                i += 2
                continue
            braced = s[i + 1:i + 2] == '{'
            j = k = i + 2 if braced else i + 1
            while k < len(s) and (s[k].isalnum() or s[k] == '_'):
                k += 1
            name = s[j:k]
            end = k + 1 if braced else k
            if not name or name[0].isdigit():
                if not safe:
                    raise ValueError('Invalid placeholder in string: line 1, col %d' % (i + 1))
                out.append(c)
                i += 1
            elif name in values or not safe:
                out.append(str(values[name]))
                i = end
            else:
                out.append(s[i:end])
                i = end
        return ''.join(out)
    def substitute(self, mapping={}, **kwargs):
        return self._fill({**mapping, **kwargs}, False)
    def safe_substitute(self, mapping={}, **kwargs):
        return self._fill({**mapping, **kwargs}, True)
