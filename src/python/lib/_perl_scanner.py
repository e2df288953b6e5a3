# Reads the text of a program: spaces, comments, words.
from _perl_values import Unknown
from _perl_words import WORD
class Scanner:
    def __init__(self, src, line=1):
        self.src, self.pos, self.first, self.pending = src, 0, line, []
    def line(self):
        return self.first + self.src.count('\n', 0, self.pos)
    def fail(self, what=None):
        if what is None:
            what = self.src[self.pos:self.pos + 20].split('\n')[0] or 'the end of the program'
        raise Unknown(what)
    def ws(self):
        src = self.src
        while self.pos < len(src):
            c = src[self.pos]
            if c == '\n' and self.pending:
                self.pos += 1
                for end, box, indent in self.pending:
                    lines = []
                    while self.pos < len(src):
                        stop = src.find('\n', self.pos)
                        stop = len(src) if stop < 0 else stop
                        line = src[self.pos:stop]
                        self.pos = stop + 1
                        if (line.strip() if indent else line) == end:
                            break
                        lines.append(line.lstrip() if indent else line)
                    box.append(''.join([l + '\n' for l in lines]))
                self.pending = []
            elif c in ' \t\r\n':
                self.pos += 1
                if c == '\n' and src[self.pos:self.pos + 1] == '=' and src[self.pos + 1:self.pos + 2].isalpha():
                    stop = src.find('\n=cut', self.pos)
                    self.pos = len(src) if stop < 0 else stop + 5
            elif c == '#':
                stop = src.find('\n', self.pos)
                self.pos = len(src) if stop < 0 else stop
            else:
                return
    def see(self, s):
        self.ws()
        if not self.src.startswith(s, self.pos):
            return False
        after = self.src[self.pos + len(s):self.pos + len(s) + 1]
        return not (s[-1].isalpha() and (after.isalnum() or after == '_'))
    def eat(self, s):
        if self.see(s):
            self.pos += len(s)
            return True
        return False
    def need(self, s):
        if not self.eat(s):
            self.fail()
    def word(self):
        self.ws()
        m = WORD.match(self.src[self.pos:self.pos + 80])
        return m.group(0) if m else ''
    def ahead(self, n=1):
        self.ws()
        return self.src[self.pos:self.pos + n]
