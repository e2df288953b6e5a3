# Perl's functions.
import math, os, re, subprocess, sys, time
from _perl_format import formatted
from _perl_match import HERE, POS, pattern
from _perl_values import HANDLES, Handle, N, NAME, Ref, Unknown, const, die, flat, listed, num, text, v, whole, yes
def function(p, word, args, line):
    first = args[0] if args else HERE
    l = flat(args) if args else lambda e: []
    simple = {'lc': lambda x: text(x).lower(), 'uc': lambda x: text(x).upper(), 'lcfirst': lambda x: text(x)[:1].lower() + text(x)[1:],
              'ucfirst': lambda x: text(x)[:1].upper() + text(x)[1:], 'length': lambda x: None if x is None else len(text(x)), 'chr': lambda x: chr(int(num(x))),
              'ord': lambda x: ord(text(x)[0]) if text(x) else 0, 'int': lambda x: int(num(x)) if num(x) == num(x) and abs(num(x)) != math.inf else num(x),
              'abs': lambda x: abs(num(x)), 'sin': lambda x: math.sin(num(x)), 'cos': lambda x: math.cos(num(x)), 'exp': lambda x: whole(math.exp(num(x))),
              'hex': lambda x: int(text(x), 16), 'oct': lambda x: int(text(x), 0) if text(x)[:1] == '0' and text(x)[1:2] in 'xXbB' and len(text(x)) > 1 else int(text(x) or '0', 8),
              'quotemeta': lambda x: re.sub(r'(\W)', r'\\\1', text(x)), 'floor': lambda x: math.floor(num(x)), 'ceil': lambda x: math.ceil(num(x)),
              'ref': lambda x: x.kind if isinstance(x, Ref) else 'CODE' if callable(x) else 'GLOB' if isinstance(x, Handle) else ''}
    if word in simple:
        f = simple[word]
        return N(lambda e: f(first.s(e)))
    if word in ('sqrt', 'log'):
        def root(e):
            x = num(first.s(e))
            if x < 0 or word == 'log' and x == 0:
                die("Can't take %s of %s" % (word, text(x)), line)
            return whole(math.sqrt(x)) if word == 'sqrt' else whole(math.log(x))
        return N(root)
    if word == 'defined':
        if first.kind == 'code':
            return N(lambda e: yes(first.s(e)))
        return N(lambda e: yes(first.s(e) is not None))
    if word == 'scalar':
        return N(lambda e: first.s(e))
    if word == 'undef':
        if not args:
            return N(lambda e: None)
        return N(lambda e: (first.put(e, [] if first.kind in ('array', 'hash') else None), None)[1])
    if word in ('shift', 'pop', 'push', 'unshift', 'splice'):
        if args and args[0].kind != 'array':
            p.fail(word)
        array = args[0].name if args else (lambda e: e.find('@_') if inside(e) else v('@ARGV'))
        rest = flat(args[1:]) if len(args) > 1 else lambda e: []
        if word in ('shift', 'pop'):
            return N(lambda e: (lambda a: (a.pop(0) if word == 'shift' else a.pop()) if a else None)(array(e)))
        def grow(e):
            a = array(e)
            if word == 'push':
                a.extend(rest(e))
            else:
                a[0:0] = rest(e)
            return len(a)
        if word != 'splice':
            return N(grow)
        def cut(e):
            a, more = array(e), rest(e)
            at = int(num(more[0])) if more else 0
            at = at + len(a) if at < 0 else at
            n = int(num(more[1])) if len(more) > 1 else len(a) - at
            out = a[at:at + n]
            a[at:at + n] = more[2:]
            return out
        return listed(cut)
    if word in ('keys', 'values', 'each'):
        if first.kind == 'array' and word != 'each':
            return N(lambda e: len(first.name(e)), lambda e: list(range(len(first.name(e)))) if word == 'keys' else first.l(e))
        if first.kind != 'hash':
            p.fail(word)
        if word == 'each':
            def pair(e):
                h = first.name(e)
                at = POS.get(id(h), 0)
                keys = list(h)
                POS[id(h)] = at + 1 if at < len(keys) else 0
                return [keys[at], h[keys[at]]] if at < len(keys) else []
            return N(lambda e: (pair(e) or [None])[0], pair)
        return N(lambda e: len(first.name(e)), lambda e: list(first.name(e).keys()) if word == 'keys' else list(first.name(e).values()))
    if word in ('exists', 'delete'):
        if not isinstance(first.name, tuple):
            p.fail(word)
        kind, base, key = first.name
        if kind == '[':
            return N(lambda e: yes(-len(base(e)) <= int(num(key.s(e))) < len(base(e)))) if word == 'exists' else p.fail(word)
        return N(lambda e: yes(text(key.s(e)) in base(e)) if word == 'exists' else base(e).pop(text(key.s(e)), None))
    if word in ('chomp', 'chop'):
        def cut_end(e):
            if first.kind in ('array', 'list'):
                first.put(e, [text(x).rstrip('\n') for x in first.l(e)])
                return 1
            s = text(first.s(e))
            new = s[:-1] if word == 'chop' or s.endswith('\n') else s
            if first.kind == 'assigned' or first.kind == 'assign-read':
                raise Unknown('chomp of an assignment')
            first.put(e, new)
            return len(s) - len(new)
        if first.kind in ('assigned', 'assign-read'):
            p.fail('chomp(my ... = ...)') if first.put is None else None
            return N(lambda e: first.put(e, text(first.s(e)).rstrip('\n')) and 1)
        return N(cut_end)
    if word == 'join':
        return N(lambda e: (lambda a: text(a[0]).join([text(x) for x in a[1:]]))(l(e)))
    if word == 'split':
        by = args[0] if args else const(' ')
        on = args[1] if len(args) > 1 else HERE
        most = args[2] if len(args) > 2 else None
        source = by.name if by.kind == 'match' else None
        def parts(e):
            s, limit = text(on.s(e)), int(num(most.s(e))) if most else 0
            if s == '':
                return []
            if source is None and text(by.s(e)) == ' ':
                s, p_ = s.lstrip(), pattern(r'\s+', '')
            elif source is None:
                p_ = pattern(text(by.s(e)), '')
            else:
                p_ = pattern(by.source(e), by.flags)
            if p_.pattern == '':
                out = list(s)
            else:
                out = p_.split(s, limit - 1 if limit > 0 else 0)
                if out and out[0] == '' and p_.match(s) and p_.match(s).end() == 0:
                    out = out[1:]
            if limit == 0:
                while out and (out[-1] is None or out[-1] == ''):
                    out.pop()
            return out
        return N(lambda e: len(parts(e)), parts)
    if word == 'sprintf':
        return N(lambda e: (lambda a: formatted([text(a[0])] + a[1:]))(l(e)))
    if word == 'reverse':
        return N(lambda e: ''.join([text(x) for x in (l(e) if args else [v('$_')[0]])])[::-1], lambda e: l(e)[::-1])
    if word in ('die', 'warn'):
        def complain(e):
            message = ''.join([text(x) for x in l(e)]) or ('Died' if word == 'die' else "Warning: something's wrong")
            if word == 'die':
                die(message, line)
            sys.stdout.flush()
            sys.stderr.write(message if message.endswith('\n') else '%s at %s line %d.\n' % (message, NAME[0], line))
            return 1
        return N(complain)
    if word == 'exit':
        return N(lambda e: leave(int(num(first.s(e))) & 255 if args else 0))
    if word in ('index', 'rindex'):
        def find(e):
            a = l(e)
            s, t = text(a[0]), text(a[1])
            if word == 'index':
                return s.find(t, max(int(num(a[2])), 0) if len(a) > 2 else 0)
            return s.rfind(t) if len(a) < 3 else s.rfind(t, 0, int(num(a[2])) + len(t))
        return N(find)
    if word == 'substr':
        def piece(e):
            s, at = text(first.s(e)), int(num(args[1].s(e)))
            at = max(at + len(s), 0) if at < 0 else at
            if at > len(s):
                return s, len(s), len(s)
            n = int(num(args[2].s(e))) if len(args) > 2 and args[2].s(e) is not None else len(s)
            end = at + n if n >= 0 else len(s) + n
            return s, at, max(min(end, len(s)), at)
        def put(e, x):
            s, a, b = piece(e)
            first.put(e, s[:a] + text(x) + s[b:])
            return x
        def get(e):
            s, a, b = piece(e)
            if len(args) > 3:
                put(e, args[3].s(e))
            return s[a:b]
        return N(get, put=put)
    if word in ('system', 'exec'):
        def run(e):
            sys.stdout.flush()
            a = [text(x) for x in l(e)]
            code = subprocess.call(a[0], shell=True) if len(a) == 1 else subprocess.call(a)
            v('$?')[0] = code << 8 if code >= 0 else -code
            if word == 'exec':
                leave(code & 255)
            return v('$?')[0]
        return N(run)
    if word == 'time':
        return N(lambda e: int(time.time()))
    if word == 'sleep':
        return N(lambda e: (sys.stdout.flush(), time.sleep(int(num(first.s(e)))), int(num(first.s(e))))[2])
    if word == 'localtime':
        def clock(e):
            t = time.localtime(num(first.s(e)) if args else time.time())
            return [t.tm_sec, t.tm_min, t.tm_hour, t.tm_mday, t.tm_mon - 1, t.tm_year - 1900, (t.tm_wday + 1) % 7, t.tm_yday - 1, 0]
        return N(lambda e: time.strftime('%a %b %e %H:%M:%S %Y', time.localtime(num(first.s(e)) if args else time.time())).replace('%e', ''), clock)
    if word in ('close', 'binmode', 'select', 'srand', 'umask', 'lock'):
        def close(e):
            h = first.s(e) if args else None
            if word == 'close' and isinstance(h, Handle):
                (h.file or h.out).close()
            return 1
        return N(close)
    if word == 'eof':
        return N(lambda e: yes((lambda h: h.ends() if isinstance(h, Handle) else True)(first.s(e) if args else HANDLES['ARGV'])))
    if word == 'unlink':
        return N(lambda e: len([os.remove(text(x)) for x in l(e) if os.path.exists(text(x))]))
    if word in ('mkdir', 'rmdir', 'chdir'):
        def change(e):
            try:
                {'mkdir': os.mkdir, 'rmdir': os.rmdir, 'chdir': os.chdir}[word](text(first.s(e)))
                return 1
            except OSError as x:
                v('$!')[0] = x.strerror
                return 0
        return N(change)
    if word in ('sum', 'sum0', 'min', 'max', 'uniq'):
        def over(e):
            a = l(e)
            if word == 'uniq':
                return list({text(x): x for x in a}.values())
            n = [num(x) for x in a]
            if not n:
                return [0 if word == 'sum0' else None]
            return [whole({'sum': sum, 'sum0': sum, 'min': min, 'max': max}[word](n))]
        return N(lambda e: len(over(e)), over) if word == 'uniq' else listed(over)
    if word in ('atan2', 'fmod', 'pow'):
        return N(lambda e: whole({'atan2': math.atan2, 'fmod': math.fmod, 'pow': math.pow}[word](num(args[0].s(e)), num(args[1].s(e)))))
    p.fail(word)
def inside(e):
    while e is not None:
        if '@_' in e.vars:
            return True
        e = e.parent
    return False
def leave(code):
    raise SystemExit(code)
