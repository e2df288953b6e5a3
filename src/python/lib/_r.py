# The part of R that one-liners and short scripts use: vectors, lists, functions, loops and output. A program with anything
# else is not computed. Here: the command line.
import os, re, subprocess, sys
from _r_calls import CALLS
from _r_parser import Parser
from _r_run import run
from _r_show import show
from _r_values import ARGS, DEFINED, GLOBAL, Leave, RError, Unknown, VISIBLE, WARNINGS
import _r_operators, _r_maths, _r_texts, _r_lists
def complain(what, code):
    sys.stdout.flush()
    sys.stderr.write(what)
    return code
def main(me, words):
    words, texts_, files = list(words), [], None
    quiet = me == 'Rscript'
    while words and words[0].startswith('-'):
        w = words.pop(0)
        if w == '-e':
            if not words:
                raise Unknown('-e without a program')
            texts_.append(words.pop(0))
        elif w in ('--slave', '--no-echo', '-s'):
            quiet = True
        elif w in ('--vanilla', '--no-save', '--no-restore', '--no-environ', '--no-init-file', '--no-site-file'):
            pass
        elif w == '-f' and words:
            files = words.pop(0)
        elif w.startswith('--file='):
            files = w[7:]
        elif w == '--args':
            break
        else:
            raise Unknown(w)
    if not quiet:
        raise Unknown('R with its echo (Rscript is computed)')
    if texts_:
        source = '\n'.join(texts_)
    elif files or me == 'Rscript' and words:
        files = files or words.pop(0)
        source = open(files).read()
    else:
        source = sys.stdin.read()
    if words and words[0] == '--args':
        words.pop(0)
    ARGS.extend(words)
    NAMED[0] = files
    for m in re.finditer(r'([\w.]+)\s*(<-|=)\s*function', source):
        DEFINED.add(m.group(1))
    program = Parser(source).program()
    known(program)
    RAN[0] = True
    for e in program:
        try:
            v = run(e, GLOBAL)
            if VISIBLE[0]:
                sys.stdout.write(show(v))
        except RError as x:
            return complain('Error: %s\nExecution halted\n' % x.args[0], 1)
        if WARNINGS:
            raise Unknown('a warning: ' + WARNINGS[0])
    return 0
NAMED, RAN = [None], [False]
def known(e):
    # Functions that are not known are found before anything is printed.
    if isinstance(e, tuple) and e and e[0] == 'call' and e[1][0] == 'name':
        name = e[1][1].split('::')[-1]
        if name not in CALLS and name not in DEFINED and name not in ('&&', '||', 'return', 'library', 'require', 'suppressPackageStartupMessages', 'requireNamespace', 'suppressWarnings', 'suppressMessages') and not PARAMETERS(name):
            raise Unknown(name)
    if isinstance(e, (tuple, list)):
        for x in e:
            known(x)
def PARAMETERS(name):
    return name in ('f', 'fn', 'FUN', 'g')
def start(me):
    words, code = sys.argv[1:], 0
    try:
        code = main(me, words)
    except Unknown as u:
        sys.stdout.flush()
        if NAMED[0] and not RAN[0]:
            # The file runs as a model, which says so.
            code = subprocess.call([me] + words, env=dict(os.environ, SANDBATCH_MODEL='1'))
        else:
            code = complain('%s: not simulated in sandbatch: %s (man %s)\n' % (me, u.args[0], me), 127)
    except SystemExit as s:
        code = s.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 141
    except Leave:
        code = 0
    except Exception as x:
        code = complain('%s: not simulated in sandbatch: such a program (%s)\n' % (me, x), 127)
    sys.stdout.flush()
    sys.exit(code)
