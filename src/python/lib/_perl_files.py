# The files of the command line, which `<>` reads.
import sys
from _perl_values import HANDLES, Handle, complain, text, v
class Files(Handle):
    # What `<>` reads: the files of the command line, or the standard input.
    def __init__(self):
        Handle.__init__(self)
        self.started, self.source, self.edit, self.suffix = False, None, False, ''
    def following(self):
        argv = v('@ARGV')
        if self.out_file:
            self.out_file.close()
            self.out_file, HANDLES['STDOUT'].out = None, sys.stdout
        while argv:
            name = text(argv.pop(0))
            try:
                self.source = open(name)
            except OSError as x:
                complain("Can't open %s: %s.\n" % (name, x.strerror), 0)
                continue
            v('$ARGV')[0] = name
            if self.edit:
                data = self.source.read()
                if self.suffix:
                    open(name + self.suffix, 'w').write(data)
                self.source = Lines(data)
                self.out_file = HANDLES['STDOUT'].out = open(name, 'w')
            return True
        return False
    out_file = None
    def read(self):
        if self.line is not None:
            line, self.line = self.line, None
            return line
        if not self.started:
            self.started = True
            if not v('@ARGV'):
                self.source = sys.stdin
            elif not self.following():
                return None
        while self.source is not None:
            line = self.source.read() if v('$/')[0] is None else self.source.readline()
            if line:
                return line
            if not self.following():
                self.source = None
        return None
class Lines:
    def __init__(self, data):
        self.data, self.at = data, 0
    def readline(self):
        stop = self.data.find('\n', self.at)
        stop = len(self.data) if stop < 0 else stop + 1
        line, self.at = self.data[self.at:stop], stop
        return line
    def read(self):
        line, self.at = self.data[self.at:], len(self.data)
        return line
