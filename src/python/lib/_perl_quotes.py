# Parses quoted texts, patterns, and the variables in them.
import re, subprocess, sys
from _perl_match import match_over, substitute_over, translate_over
from _perl_values import Env, HANDLES, Handle, N, const, num, text, v
from _perl_words import CLOSE
class Quotes:
    def quoted(self, quote):
        self.pos += 1
        close, depth, start = CLOSE.get(quote, quote), 1, self.pos
        while self.pos < len(self.src):
            c = self.src[self.pos]
            if c == '\\':
                self.pos += 1
            elif c == close:
                depth -= 1
                if depth == 0:
                    self.pos += 1
                    return self.src[start:self.pos - 1]
            elif c == quote:
                depth += 1
            self.pos += 1
        self.fail('a text without its end')
    def flags(self):
        m = re.match(r'[a-z]*', self.src[self.pos:self.pos + 12])
        self.pos += m.end()
        return m.group(0)
    def regex(self, body):
        flags, pattern = self.flags(), self.interpolated(body, True)
        return match_over(lambda e: text(pattern.s(e)), flags)
    def quote_like(self, word):
        q = self.ahead()
        body = self.quoted(q)
        if word == 'q':
            return const(body.replace('\\\\', '\\'))
        if word == 'qq':
            return self.interpolated(body)
        if word == 'qw':
            all = body.split()
            return N(lambda e: all[-1] if all else None, lambda e: list(all), kind='list', name=[const(x) for x in all])
        if word == 'qx':
            return self.backticks(body)
        if word == 'm':
            return self.regex(body)
        if word == 'qr':
            flags, pattern = self.flags(), self.interpolated(body, True)
            return N(lambda e: '(?%s:%s)' % (''.join([f for f in flags if f in 'imsx']), text(pattern.s(e))) if any([f in 'imsx' for f in flags]) else '(?:%s)' % text(pattern.s(e)))
        if q in CLOSE:
            other = self.quoted(self.ahead())
        else:
            self.pos -= 1
            other = self.quoted(q)
        flags = self.flags()
        if word in ('tr', 'y'):
            return translate_over(body, other, flags)
        pattern = self.interpolated(body, True)
        if 'e' in flags:
            with_ = type(self)(other, self.line()).program()
            made = lambda e: text((with_(Env(e)) or [None])[-1])
        else:
            node = self.interpolated(other)
            made = lambda e: text(node.s(e))
        return substitute_over(lambda e: text(pattern.s(e)), made, flags)
    def backticks(self, body):
        command = self.interpolated(body)
        def run(e):
            sys.stdout.flush()
            done = subprocess.run(text(command.s(e)), shell=True, stdout=subprocess.PIPE, text=True)
            v('$?')[0] = done.returncode << 8
            return done.stdout
        return N(run, lambda e: run(e).splitlines(True))
    def reader(self, name):
        def handle(e):
            if name.startswith('$'):
                return e.find(name)[0]
            return HANDLES.get(name or 'ARGV')
        def one(e):
            h = handle(e)
            line = h.read() if isinstance(h, Handle) else None
            if line is not None:
                v('$.')[0] = num(v('$.')[0]) + 1
            return line
        def all(e):
            lines = []
            while True:
                line = one(e)
                if line is None:
                    return lines
                lines.append(line)
        return N(one, all, kind='read')
    def interpolated(self, body, regex=False):
        parts, out, i = [], [], 0
        def flush():
            if out:
                whole = ''.join(out)
                out.clear()
                parts.append(lambda e: whole)
        while i < len(body):
            c = body[i]
            if c == '\\' and i + 1 < len(body):
                n = body[i + 1]
                if regex:
                    out.append(c + n)
                    i += 2
                    continue
                m = re.match(r'x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{1,2})|([0-7]{2,3})', body[i + 1:i + 12])
                if m:
                    code = int(m.group(1) or m.group(2), 16) if m.group(3) is None else int(m.group(3), 8)
                    out.append(chr(code))
                    i += 1 + m.end()
                    continue
                if n in 'ULEQul':
                    self.fail('\\' + n)
                out.append({'n': '\n', 't': '\t', 'r': '\r', '0': '\0', 'a': '\a', 'e': '\x1b', 'f': '\f'}.get(n, n))
                i += 2
                continue
            following = body[i + 1:i + 2]
            if c == '$' and (re.match(r'[A-Za-z_{$\d&!,.;0?@#]', following) if not regex else re.match(r'[A-Za-z_{]', following)) or c == '@' and re.match(r'[A-Za-z_{$]', following):
                sub = type(self)(body, self.line())
                sub.pos = i
                node = sub.sigiled(True)
                node = sub.subscripts(node, True)
                i = sub.pos
                flush()
                if c == '@':
                    parts.append((lambda node: lambda e: ' '.join([text(x) for x in node.l(e)]))(node))
                else:
                    parts.append((lambda node: lambda e: text(node.s(e)))(node))
                continue
            out.append(c)
            i += 1
        flush()
        if not parts:
            return const('')
        if len(parts) == 1:
            return N(parts[0], kind='const')
        return N(lambda e: ''.join([p(e) for p in parts]))
