# `sprintf`, and the tests of files.
import math, os, re
from _perl_values import num, text, yes
FORMAT = re.compile(r'%(%|([-+ 0#]*)(\*|\d+)?(\.(\*|\d+))?[hlqLV]*([diuoxXeEfFgGscb]))')
def formatted(all):
    args = list(all[1:])
    def one(m):
        if m.group(1) == '%':
            return '%'
        flags, width, precision, letter = m.group(2), m.group(3) or '', m.group(4) or '', m.group(6)
        if width == '*':
            width = str(int(num(args.pop(0) if args else 0)))
        if precision == '.*':
            precision = '.' + str(int(num(args.pop(0) if args else 0)))
        x = args.pop(0) if args else None
        if letter == 's':
            return ('%' + flags.replace('0', '') + width + precision + 's') % text(x)
        if letter == 'c':
            return chr(int(num(x)))
        if letter in 'diu':
            x = num(x)
            if isinstance(x, float) and (x != x or x in (math.inf, -math.inf)):
                return '-1'
            return ('%' + flags + width + precision + 'd') % int(x)
        if letter == 'b':
            made = bin(int(num(x)))[2:]
            return made.rjust(int(width or 0), '0' if '0' in flags else ' ')
        if letter in 'oxX':
            return ('%' + flags + width + precision + letter) % int(num(x))
        return ('%' + flags + width + precision + letter) % float(num(x))
    return FORMAT.sub(one, all[0])
def file_test(test, name):
    try:
        s = os.stat(name)
    except OSError:
        return ''
    if test == 's':
        return s.st_size or ''
    if test == 'z':
        return yes(s.st_size == 0)
    if test == 'd':
        return yes(os.path.isdir(name))
    if test == 'f':
        return yes(os.path.isfile(name))
    if test == 'e':
        return 1
    return yes(os.access(name, {'r': 4, 'w': 2, 'x': 1}[test]))
