# The part of Perl that job scripts use, as closures: each expression has a function for its value and one for its list.
# A program with anything else is not computed. Hashes keep the order of insertion. Here: the command line.
import os, subprocess, sys
from _perl_calls import Calls
from _perl_expressions import Expressions
from _perl_files import Files
from _perl_match import pattern
from _perl_quotes import Quotes
from _perl_run import ERRNO, loop
from _perl_scanner import Scanner
from _perl_statements import Statements
from _perl_terms import Terms
from _perl_values import Die, ENDS, Env, HANDLES, Handle, Jump, NAME, ROOT, Return, Unknown, complain, num, text, v
class Parser(Scanner, Statements, Expressions, Terms, Quotes, Calls): pass
def main(words):
    texts, loops, prints, lines, fields, by, files = [], False, False, False, False, ' ', Files()
    words = list(words)
    slurp = False
    while words and words[0].startswith('-') and len(words[0]) > 1:
        w = words.pop(0)
        if w == '--':
            break
        i = 1
        while i < len(w):
            c = w[i]
            i += 1
            if c in 'eE':
                if not words:
                    return complain('No code specified for -%s.\n' % c, 2)
                texts.append(words.pop(0))
            elif c == 'n':
                loops = True
            elif c == 'p':
                loops = prints = True
            elif c == 'l':
                lines = True
            elif c == 'a':
                fields = loops = True
            elif c == 'F':
                by, i, fields, loops = w[i:].strip('/'), len(w), True, True
            elif c == 'i':
                files.edit, files.suffix, i = True, w[i:], len(w)
            elif c == '0':
                slurp = w[i:] == '777'
                if not slurp:
                    raise Unknown('-0' + w[i:])
                i = len(w)
            elif c in 'wWtT':
                pass
            elif c in 'Mm':
                if w[i:].split('=')[0] not in ('strict', 'warnings', 'List::Util', 'POSIX'):
                    raise Unknown('-M' + w[i:])
                i = len(w)
            else:
                raise Unknown('-' + c)
    if texts:
        source = '\n'.join(texts)
    elif words:
        NAME[0] = words.pop(0)
        try:
            source = open(NAME[0]).read()
        except OSError as x:
            return complain('Can\'t open perl script "%s": %s\n' % (NAME[0], x.strerror), 2)
    else:
        NAME[0] = '-'
        source = sys.stdin.read()
    v('$,'), v('$!'), v('$/'), v('$\\')
    ROOT.vars['$/'] = [None if slurp else '\n']
    ROOT.vars['@ARGV'], ROOT.vars['%ENV'] = list(words), dict(os.environ)
    ROOT.vars['$$'], ROOT.vars['$@'] = [os.getpid()], ['']
    HANDLES.update({'STDOUT': Handle(None, sys.stdout), 'STDERR': Handle(None, sys.stderr), 'STDIN': Handle(sys.stdin), 'ARGV': files})
    run = Parser(source).program()
    code = 0
    try:
        try:
            if not loops:
                run(ROOT)
            else:
                if lines:
                    v('$\\')[0] = '\n'
                here = v('$_')
                while True:
                    line = files.read()
                    if line is None:
                        break
                    v('$.')[0] = num(v('$.')[0]) + 1
                    here[0] = line[:-1] if lines and line.endswith('\n') else line
                    if fields:
                        s = here[0]
                        v('@F')[:] = s.split() if by == ' ' else trimmed(pattern(by, '').split(s))
                    go = loop('LINE', lambda: run(Env(ROOT)), True)
                    if prints:
                        HANDLES['STDOUT'].out.write(text(here[0]) + ('\n' if lines else ''))
                    if not go:
                        break
        finally:
            for end in ENDS[::-1]:
                end(ROOT)
    except Die as d:
        code = complain(d.args[0], ERRNO[0] or 255)
    except SystemExit as s:
        code = s.code
    except Return:
        pass
    except (Unknown, Jump) as u:
        code = complain('perl: not simulated in sandbatch: %s\n' % u.args[0], 127)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as x:
        code = complain('perl: not simulated in sandbatch: such a program (%s)\n' % x, 127)
    sys.stdout.flush()
    return code
def trimmed(all):
    while all and all[-1] == '':
        all.pop()
    return all
def start():
    words = sys.argv[1:]
    try:
        code = main(words)
    except Unknown as u:
        if NAME[0] in ('-e', '-'):
            code = complain('perl: not simulated in sandbatch: %s (man perl)\n' % u.args[0], 127)
        else:
            # The file runs as a model, which says so.
            code = subprocess.call(['perl'] + words, env=dict(os.environ, SANDBATCH_MODEL='1'))
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 141
    sys.exit(code)
