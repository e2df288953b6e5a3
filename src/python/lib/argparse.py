import sys
import os
class ArgumentTypeError(Exception): pass
class ArgumentError(Exception): pass
class Namespace:
    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)
    def __repr__(self):
        return 'Namespace(' + ', '.join(['%s=%r' % p for p in self.__dict__.items()]) + ')'
    def __contains__(self, key):
        return key in self.__dict__
    def __eq__(self, other):
        return self.__dict__ == other.__dict__
SUPPRESS = '==SUPPRESS=='
class HelpFormatter: pass
class ArgumentDefaultsHelpFormatter(HelpFormatter): pass
class RawDescriptionHelpFormatter(HelpFormatter): pass
class RawTextHelpFormatter(HelpFormatter): pass
class _Action:
    def __init__(self, flags, dest, nargs, const, default, type, choices, required, help, metavar, action):
        self.flags, self.dest, self.nargs, self.const, self.default, self.type = flags, dest, nargs, const, default, type
        self.choices, self.required, self.help, self.metavar, self.action, self.version = choices, required, help, metavar, action, None
    def name(self):
        if self.flags:
            return '/'.join(self.flags)
        return self.metavar or self.dest
    def placeholder(self):
        if self.metavar:
            return self.metavar
        if self.choices is not None:
            return '{' + ','.join([str(c) for c in self.choices]) + '}'
        return self.dest.upper() if self.flags else self.dest
    def values(self):
        m, n = self.placeholder(), self.nargs
        if self.action not in ('store', 'append'):
            return ''
        if n is None:
            return m
        if n == '?':
            return '[' + m + ']'
        if n == '*':
            return '[' + m + ' ...]'
        if n == '+':
            return m + ' [' + m + ' ...]'
        return ' '.join([m] * n)
class _Group:
    def __init__(self, parser, title, exclusive=False, required=False):
        self.parser, self.title, self.exclusive, self.required, self.actions = parser, title, exclusive, required, []
    def add_argument(self, *flags, **kwargs):
        a = self.parser.add_argument(*flags, **kwargs)
        self.actions.append(a)
        return a
class _Subparsers:
    def __init__(self, parser, dest, required):
        self.parser, self.dest, self.required, self.choices = parser, dest, required, {}
    def add_parser(self, name, help=None, **kwargs):
        p = ArgumentParser(prog=self.parser.prog + ' ' + name, **kwargs)
        self.choices[name] = p
        return p
class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, formatter_class=None, add_help=True, **kwargs):
        self.prog = prog or os.path.basename(sys.argv[0])
        self.usage, self.description, self.epilog = usage, description, epilog
        self.show_defaults = formatter_class is ArgumentDefaultsHelpFormatter
        self.actions, self.defaults, self.groups, self.sub = [], {}, [], None
        if add_help:
            self.add_argument('-h', '--help', action='help', help='show this help message and exit')
    def add_argument(self, *flags, action='store', nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None, dest=None, version=None):
        optional = flags and flags[0].startswith('-')
        if dest is None:
            if optional:
                long = [f for f in flags if f.startswith('--')]
                dest = (long or flags)[0].lstrip('-').replace('-', '_')
            else:
                dest = flags[0]
        if action == 'store_true':
            const, default = True, bool(default) if default is not None else False
        elif action == 'store_false':
            const, default = False, True if default is None else default
        elif not isinstance(action, str):
            raise NotImplementedError('sandbatch does not simulate argparse actions of your own')
        a = _Action(list(flags) if optional else [], dest, nargs, const, default, type, choices, required, help, metavar, action)
        a.version = version
        self.actions.append(a)
        return a
    def add_argument_group(self, title=None, description=None):
        return _Group(self, title)
    def add_mutually_exclusive_group(self, required=False):
        g = _Group(self, None, True, required)
        self.groups.append(g)
        return g
    def add_subparsers(self, dest=None, required=False, help=None, title=None, metavar=None):
        self.sub = _Subparsers(self, dest, required)
        return self.sub
    def set_defaults(self, **kwargs):
        self.defaults.update(kwargs)
    def format_usage(self):
        if self.usage:
            return 'usage: ' + self.usage + '\n'
        parts, positional = [], []
        for a in self.actions:
            if a.flags:
                v = a.values()
                text = a.flags[0] + (' ' + v if v else '')
                group = [g for g in self.groups if a in g.actions]
                if group:
                    ends = '()' if group[0].required else '[]'
                    if a is group[0].actions[0]:
                        parts.append((ends[0] if len(group[0].actions) > 1 else '[') + text + (ends[1] if len(group[0].actions) == 1 else ''))
                    else:
                        parts.append('| ' + text + (ends[1] if a is group[0].actions[-1] else ''))
                    continue
                parts.append(text if a.required else '[' + text + ']')
            else:
                positional.append(a.values())
        if self.sub:
            positional.append('{' + ','.join(self.sub.choices) + '} ...')
        text = ' '.join([self.prog] + parts + positional)
        if len(text) + 7 <= 78:
            return 'usage: ' + text + '\n'
        indent = ' ' * (8 + len(self.prog))
        lines = []
        for group in (parts, positional):
            line = ''
            for p in group:
                if line and len(indent) + len(line) + 1 + len(p) > 78:
                    lines.append(line)
                    line = p
                else:
                    line = line + ' ' + p if line else p
            if line:
                lines.append(line)
        return 'usage: ' + self.prog + ' ' + ('\n' + indent).join(lines) + '\n'
    def print_usage(self, file=None):
        (file or sys.stdout).write(self.format_usage())
    def format_help(self):
        out = self.format_usage() + '\n'
        if self.description:
            out += self.description.strip() + '\n\n'
        for title, group in (('positional arguments', [a for a in self.actions if not a.flags]), ('options', [a for a in self.actions if a.flags])):
            if not group:
                continue
            rows = []
            for a in group:
                v = a.values()
                name = ', '.join([f + (' ' + v if v else '') for f in a.flags]) if a.flags else (a.placeholder())
                help = a.help or ''
                if self.show_defaults and a.flags and a.action != 'help' and a.default is not None and '%(default)' not in help:
                    help += ' (default: %s)' % (a.default,)
                help = help.replace('%(default)s', str(a.default)).replace('%(prog)s', self.prog).replace('%%', '%')
                rows.append((name, help))
            self.width = min(24, max([len(n) for n, h in self._rows()]) + 4)
            out += title + ':\n'
            for name, help in rows:
                if not help:
                    out += '  ' + name + '\n'
                    continue
                import textwrap
                lines = textwrap.wrap(help, 78 - self.width)
                if len(name) + 4 <= self.width:
                    out += '  ' + name.ljust(self.width - 2) + lines[0] + '\n'
                    lines = lines[1:]
                else:
                    out += '  ' + name + '\n'
                for line in lines:
                    out += ' ' * self.width + line + '\n'
            out += '\n'
        if self.epilog:
            out += self.epilog.strip() + '\n\n'
        return out[:-1]
    def _rows(self):
        rows = []
        for a in self.actions:
            v = a.values()
            rows.append((', '.join([f + (' ' + v if v else '') for f in a.flags]) if a.flags else a.placeholder(), a.help))
        return rows
    def print_help(self, file=None):
        (file or sys.stdout).write(self.format_help())
    def exit(self, status=0, message=None):
        if message:
            sys.stderr.write(message)
        sys.exit(status)
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, '%s: error: %s\n' % (self.prog, message))
    def _convert(self, a, text):
        if a.type is not None:
            name = getattr(a.type, '__name__', repr(a.type))
            try:
                value = a.type(text)
            except ArgumentTypeError as e:
                self.error('argument %s: %s' % (a.name(), e))
            except (ValueError, TypeError):
                self.error('argument %s: invalid %s value: %r' % (a.name(), name, text))
        else:
            value = text
        if a.choices is not None and value not in a.choices:
            self.error('argument %s: invalid choice: %r (choose from %s)' % (a.name(), value, ', '.join([repr(c) for c in a.choices])))
        return value
    def parse_args(self, args=None, namespace=None):
        ns, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error('unrecognized arguments: ' + ' '.join(rest))
        return ns
    def _find(self, word):
        for a in self.actions:
            if word in a.flags:
                return a
        if word.startswith('--'):
            hits = [(a, f) for a in self.actions for f in a.flags if f.startswith(word)]
            if len(hits) == 1:
                return hits[0][0]
            if len(hits) > 1:
                self.error('ambiguous option: %s could match %s' % (word, ', '.join([f for a, f in hits])))
        return None
    def parse_known_args(self, args=None, namespace=None):
        words = list(sys.argv[1:] if args is None else args)
        ns = namespace or Namespace()
        for a in self.actions:
            if a.action not in ('help', 'version'):
                default = self.defaults.get(a.dest, a.default)
                if isinstance(default, str) and a.type is not None:
                    default = self._convert(a, default)
                setattr(ns, a.dest, default)
        for k, v in self.defaults.items():
            if k not in ns:
                setattr(ns, k, v)
        seen, extras, plain = [], [], []
        i, only = 0, False
        while i < len(words):
            w = words[i]
            i += 1
            if only or not w.startswith('-') or w == '-' or self._negative(w):
                if self.sub and len(plain) >= len([a for a in self.actions if not a.flags]):
                    if w not in self.sub.choices:
                        self.error('argument %s: invalid choice: %r (choose from %s)' % (self.sub.dest or '{' + ','.join(self.sub.choices) + '}', w, ', '.join([repr(c) for c in self.sub.choices])))
                    if self.sub.dest:
                        setattr(ns, self.sub.dest, w)
                    self.sub.choices[w].parse_known_args(words[i:], ns)
                    i = len(words)
                    seen.append(self.sub)
                    continue
                plain.append(w)
                continue
            if w == '--':
                only = True
                continue
            value = None
            if '=' in w and w.startswith('--'):
                w, value = w.split('=', 1)
            a = self._find(w)
            if a is None and len(w) > 2 and not w.startswith('--'):
                a, value = self._find(w[:2]), w[2:]
            if a is None:
                extras.append(w)
                continue
            seen.append(a)
            if a.action == 'help':
                self.print_help()
                self.exit()
            elif a.action == 'version':
                print(a.version.replace('%(prog)s', self.prog))
                self.exit()
            elif a.action in ('store_true', 'store_false', 'store_const'):
                value = self._letters(words, i, w, a, value)
                setattr(ns, a.dest, a.const)
            elif a.action == 'count':
                value = self._letters(words, i, w, a, value)
                setattr(ns, a.dest, (getattr(ns, a.dest) or 0) + 1)
            else:
                found = [] if value is None else [value]
                n = a.nargs
                most = 1 if n in (None, '?') else n if isinstance(n, int) else 10 ** 9
                while value is None and len(found) < most and i < len(words) and (not words[i].startswith('-') or self._negative(words[i]) or words[i] == '-'):
                    found.append(words[i])
                    i += 1
                if n is None and not found:
                    self.error('argument %s: expected one argument' % a.name())
                if n == '+' and not found:
                    self.error('argument %s: expected at least one argument' % a.name())
                if isinstance(n, int) and len(found) < n:
                    self.error('argument %s: expected %d argument%s' % (a.name(), n, '' if n == 1 else 's'))
                found = [self._convert(a, f) for f in found]
                v = (found[0] if found else a.const) if n in (None, '?') else found
                if a.action == 'append':
                    v = (getattr(ns, a.dest) or []) + [v]
                setattr(ns, a.dest, v)
        missing = []
        positional = [a for a in self.actions if not a.flags]
        for k, a in enumerate(positional):
            need = sum([1 if b.nargs in (None, '+') else b.nargs if isinstance(b.nargs, int) else 0 for b in positional[k + 1:]])
            n = a.nargs
            room = max(0, len(plain) - need)
            take = 1 if n is None else min(1, room) if n == '?' else n if isinstance(n, int) else room
            got, plain = plain[:take], plain[take:]
            if (n is None or n == '+') and not got or isinstance(n, int) and len(got) < n:
                missing.append(a.name())
                continue
            got = [self._convert(a, g) for g in got]
            if n == '?':
                if got:
                    setattr(ns, a.dest, got[0])
            elif n is None:
                setattr(ns, a.dest, got[0])
            elif got or n != '*':
                setattr(ns, a.dest, got)
            elif a.default is None:
                setattr(ns, a.dest, [])
        missing += [a.name() for a in self.actions if a.required and a not in seen]
        if self.sub and self.sub.required and self.sub not in seen:
            missing.append(self.sub.dest or '{' + ','.join(self.sub.choices) + '}')
        if missing:
            self.error('the following arguments are required: ' + ', '.join(missing))
        for g in self.groups:
            used = [a for a in seen if a in g.actions]
            if len(used) > 1 and used[1] is not used[0]:
                self.error('argument %s: not allowed with argument %s' % (used[1].name(), used[0].name()))
            if g.required and not used:
                self.error('one of the arguments %s is required' % ' '.join([a.name() for a in g.actions]))
        return ns, extras + plain
    def _letters(self, words, i, w, a, value):
        # `-vq` is `-v -q`.
        if value is None:
            return
        if w.startswith('--') or self._find('-' + value[0]) is None:
            self.error('argument %s: ignored explicit argument %r' % (a.name(), value))
        words.insert(i, '-' + value)
    def _negative(self, w):
        try:
            float(w)
            return True
        except ValueError:
            return False
