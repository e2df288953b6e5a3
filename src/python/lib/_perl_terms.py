# Parses variables, literals and other terms.
import re
from _perl_match import group
from _perl_run import index_get, invoke, list_put, pairs, variable
from _perl_values import N, NAME, Ref, SUBS, const, listed, num, text
from _perl_words import CLOSE
class Terms:
    def named(self, sigil, name, mine):
        full = sigil + name
        if mine:
            node = variable(sigil, lambda e: e.find(full))
            return N(lambda e: (e.make(full), node.s(e))[1], lambda e: (e.make(full), node.l(e))[1] if sigil == '$' else node.l(e) if full in e.vars else e.make(full) and [],
                     lambda e, x: (e.make(full), node.put(e, x))[1], node.kind, lambda e: e.vars[full] if full in e.vars else e.make(full))
        return variable(sigil, lambda e: e.find(full))
    def sigiled(self, plain=False):
        sigil = self.src[self.pos]
        self.pos += 1
        rest = self.src[self.pos:self.pos + 80]
        if sigil == '$' and rest[:1] == '#':
            m = re.match(r'#(\w+)', rest)
            if m:
                self.pos += m.end()
                name = '@' + m.group(1)
                return N(lambda e: len(e.find(name)) - 1)
            if rest[1:2] in '{$':
                self.pos += 1
                inner = self.inner()
                return N(lambda e: len(inner.s(e).to) - 1)
        m = re.match(r'(\^\w|[A-Za-z_]\w*(::\w+)*|\d+)', rest)
        if not m and sigil == '$':
            m = re.match(r'''[&_,;.!?@/\\0|"$]''' if not plain else r'[&,;.!?@0]', rest)
            if m and m.group(0) == '$' and rest[1:2] in ('{', '$') + tuple('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'):
                m = None
        if m:
            name = m.group(0)
            self.pos += m.end()
            after = self.src[self.pos:self.pos + 1]
            if sigil == '$' and after == '[' and not (plain and not re.match(r'\[(-?\d+|\$\w+([-+]\d+)?|\$#\w+)\]', self.src[self.pos:self.pos + 30])):
                return self.at_index(lambda e: e.find('@' + name))
            if sigil == '$' and after == '{':
                return self.at_key(lambda e: e.find('%' + name))
            if sigil == '@' and (after in ('[', '{') if not plain else re.match(r'\[[-\d,. $\w]+\]', self.src[self.pos:self.pos + 40])):
                return self.slice(name, after)
            if sigil == '$' and (name.isdigit() and name != '0' or name == '&'):
                return N(lambda e: group(0 if name == '&' else int(name)))
            if name == '0':
                return N(lambda e: NAME[0])
            return self.named(sigil, name, False)
        if rest[:1] in ('{', '$'):
            inner = self.inner()
            after = self.src[self.pos:self.pos + 1]
            if sigil == '$' and after in ('[', '{'):
                return self.element(inner)
            if isinstance(inner.kind, str) and inner.kind.startswith('name:'):
                return self.named(sigil, inner.kind[5:], False)
            after = self.src[self.pos:self.pos + 40]
            if sigil == '@' and (after[:1] in ('[', '{') if not plain else re.match(r'\[[-\d,. $\w]+\]', after)):
                self.fail('a slice of a reference')
            return self.deref(sigil, inner)
        self.fail(sigil + rest[:1])
    def inner(self):
        if self.src[self.pos] == '{':
            m = re.match(r'\{\s*(\w+)\s*\}', self.src[self.pos:self.pos + 60])
            if m:
                self.pos += m.end()
                return N(None, kind='name:' + m.group(1))
            self.pos += 1
            value = self.expr()
            self.need('}')
            return value
        self.pos += 1
        m = re.match(r'\w+', self.src[self.pos:self.pos + 60])
        if not m:
            self.fail('$$')
        self.pos += m.end()
        return self.named('$', m.group(0), False)
    def slice(self, name, after):
        self.pos += 1
        at = self.expr()
        self.need(CLOSE[after])
        if after == '[':
            return N(None, lambda e: [index_get(e.find('@' + name), int(num(i))) for i in at.l(e)])
        def put(e, values):
            for i, k in enumerate(at.l(e)):
                e.find('%' + name)[text(k)] = values[i] if i < len(values) else None
        return N(None, lambda e: [e.find('%' + name).get(text(k)) for k in at.l(e)], put, 'slice')
    def primary(self):
        c = self.ahead()
        src = self.src
        if c == '':
            self.fail()
        if c in '$@' or c == '%' and re.match(r'%[A-Za-z_{$+]', src[self.pos:self.pos + 2]):
            return self.sigiled()
        m = re.match(r'0[xX][0-9a-fA-F]+|0[bB][01]+|\d[\d_]*\.\d[\d_]*([eE][+-]?\d+)?|\d[\d_]*([eE][+-]?\d+)?|\.\d+', src[self.pos:self.pos + 60])
        if m:
            t = m.group(0).replace('_', '')
            self.pos += m.end()
            if t[:2].lower() == '0x':
                return const(int(t, 16))
            if t[:2].lower() == '0b':
                return const(int(t[2:], 2))
            if len(t) > 1 and t[0] == '0' and t.isdigit():
                return const(int(t, 8))
            return const(num(t))
        if c == '"':
            return self.interpolated(self.quoted('"'))
        if c == "'":
            return const(self.quoted("'").replace("\\'", "'").replace('\\\\', '\\'))
        if c == '`':
            return self.backticks(self.quoted('`'))
        if c == '/':
            return self.regex(self.quoted('/'))
        if c == '(':
            self.pos += 1
            if self.eat(')'):
                value = N(lambda e: None, lambda e: [], lambda e, x: x, 'list', [])
            else:
                inner = self.expr()
                self.need(')')
                nodes = inner.name if inner.kind == 'list' and isinstance(inner.name, list) else [inner]
                value = N(inner.s, inner.l, list_put(nodes), 'list', nodes)
            if self.see('['):
                self.pos += 1
                at = self.expr()
                self.need(']')
                l = value.l
                return listed(lambda e: [index_get(l(e), int(num(i))) for i in at.l(e)])
            return value
        if c == '[':
            self.pos += 1
            all = self.args(']')
            return N(lambda e: Ref('ARRAY', list(all(e))))
        if c == '{':
            self.pos += 1
            all = self.args('}')
            return N(lambda e: Ref('HASH', pairs(all(e))))
        if c == '<':
            m = re.match(r'<<(~?)("?|\'?)(\w+)("?|\'?)', src[self.pos:self.pos + 60])
            if m:
                self.pos += m.end()
                box = []
                self.pending.append((m.group(3), box, bool(m.group(1))))
                save = self.pos
                stop = src.find('\n', self.pos)
                # The text follows the line.
                at = self.pos
                self.pos = len(src) if stop < 0 else stop
                self.ws()
                body, self.src = box[0] if box else '', src[:stop] + '\n' + src[self.pos:] if stop >= 0 else src
                self.pos = at
                return const(body) if m.group(2) == "'" else self.interpolated(body)
            m = re.match(r'<(\$?\w*)>', src[self.pos:self.pos + 40])
            if m:
                self.pos += m.end()
                return self.reader(m.group(1))
            self.fail()
        if c == '&':
            self.pos += 1
            name = self.word()
            self.pos += len(name)
            if self.eat('('):
                args = self.args(')')
                return listed(lambda e: invoke(SUBS.get(name), args(e), name))
            return N(lambda e: SUBS.get(name), kind='code')
        word = self.word()
        if not word:
            self.fail()
        if re.match(word + r'\s*=>', src[self.pos:self.pos + len(word) + 20]):
            self.pos += len(word)
            return const(word)
        self.pos += len(word)
        return self.called(word)
