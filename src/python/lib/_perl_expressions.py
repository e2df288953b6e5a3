# Parses operators by precedence, and subscripts.
import re
from _perl_format import file_test
from _perl_match import match_node
from _perl_run import after, arith, bumped, index_node, invoke, key_node, logic, variable
from _perl_values import Die, N, NAME, NUMBER, Ref, const, flat, listed, num, text, true, yes
from _perl_words import LEVELS
class Expressions:
    # Expressions
    def expr(self):
        left = self.conj()
        while self.word() in ('or', 'xor'):
            self.eat(self.word())
            left = logic('||', left, self.conj())
        return left
    def conj(self):
        left = self.negation()
        while self.see('and'):
            self.eat('and')
            left = logic('&&', left, self.negation())
        return left
    def negation(self):
        if self.eat('not'):
            of = self.negation()
            return N(lambda e: yes(not true(of.s(e))))
        return self.commas()
    def commas(self):
        first = self.assign()
        if not self.see(',') and not self.see('=>'):
            return first
        all = [first]
        while self.eat(',') or self.eat('=>'):
            if self.ahead() in ('', ')', ']', '}', ';') or self.word() in ('if', 'unless', 'for', 'foreach', 'while', 'or', 'and'):
                break
            all.append(self.assign())
        l = flat(all)
        return N(lambda e: [n.s(e) for n in all][-1], l, kind='list', name=all)
    def assign(self):
        left = self.choice()
        line = self.line()
        for op in ('**=', '||=', '//=', '&&=', '<<=', '>>=', '+=', '-=', '*=', '/=', '.=', '%=', 'x=', '|=', '&=', '^='):
            if self.ahead(len(op)) == op:
                self.pos += len(op)
                right, put = self.assign(), left.put
                if put is None:
                    self.fail(op)
                if op[:-1] in ('||', '//', '&&'):
                    test = {'||': lambda x: not true(x), '//': lambda x: x is None, '&&': true}[op[:-1]]
                    def maybe(e):
                        old = left.s(e)
                        return put(e, right.s(e)) if test(old) else old
                    return N(maybe)
                f = arith(op[:-1], line)
                return N(lambda e: put(e, f(left.s(e), right.s(e))))
        if self.ahead(2) in ('==', '=~', '=>') or not self.eat('='):
            return left
        right = self.assign()
        if left.put is None:
            self.fail('=')
        if left.kind in ('array', 'hash', 'list', 'slice'):
            def several(e):
                values = list(right.l(e))
                left.put(e, values)
                return values
            return N(lambda e: len(several(e)), several, left.put, kind=left.kind, name=left.name)
        return N(lambda e: left.put(e, right.s(e)), put=left.put, kind='assign-read' if right.kind == 'read' else 'assigned')
    def choice(self):
        test = self.range()
        if not self.eat('?'):
            return test
        a = self.assign()
        self.need(':')
        b = self.assign()
        return N(lambda e: a.s(e) if true(test.s(e)) else b.s(e), lambda e: a.l(e) if true(test.s(e)) else b.l(e))
    def range(self):
        left = self.binary(0)
        if self.ahead(3) == '...' or not self.eat('..'):
            return left
        right = self.binary(0)
        def span(e):
            a, b = left.s(e), right.s(e)
            if isinstance(a, str) and not NUMBER.match(a) and a:
                all = [a]
                while all[-1] != text(b) and len(all[-1]) <= len(text(b)) and len(all) < 1000000:
                    all.append(after(all[-1]))
                return all
            return list(range(int(num(a)), int(num(b)) + 1))
        return N(lambda e: self.fail('..'), span)
    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while True:
            op = self.operator(LEVELS[level])
            if not op:
                return left
            line = self.line()
            right = self.binary(level + 1)
            if op in ('||', '&&', '//'):
                left = logic(op, left, right)
            elif op in ('=~', '!~'):
                left = self.matched(op, left, right)
            elif op == 'x' and left.kind == 'list':
                left = (lambda left, right: N(None, lambda e: left.l(e) * max(int(num(right.s(e))), 0)))(left, right)
            else:
                left = (lambda f, left, right: N(lambda e: f(left.s(e), right.s(e))))(arith(op, line), left, right)
    def operator(self, ops):
        self.ws()
        for op in ops:
            if self.see(op):
                n = len(op)
                after = self.src[self.pos + n:self.pos + n + 1]
                if after == '=' and op not in ('=~', '!~', '<', '>', '<=', '>=', '==', '!=', 'eq', 'ne', 'lt', 'gt', 'le', 'ge') or op in ('&', '|', '<', '>', '*', '/') and after == op:
                    continue
                if op in ('<', '>') and after == '=' or op == '<=' and after == '>' or op == '.' and after == '.':
                    continue
                if op == 'x' and after == '=':
                    continue
                self.pos += n
                return op
        return ''
    def matched(self, op, left, right):
        if left.kind == 'list' and isinstance(left.name, list) and len(left.name) == 1:
            left = left.name[0]
        m = right.kind
        if m == 'match':
            node = right.name(left)
        elif m == 'const' or m in ('', 'scalar'):
            node = match_node(lambda e: text(right.s(e)), '', left)
        else:
            self.fail(op)
        return N(lambda e: yes(not true(node.s(e)))) if op == '!~' else node
    def unary(self):
        c = self.ahead()
        two = self.ahead(2)
        if c == '!' and two != '!~':
            self.pos += 1
            of = self.unary()
            return N(lambda e: yes(not true(of.s(e))))
        if c == '\\':
            self.pos += 1
            of = self.unary()
            if of.kind == 'array':
                return N(lambda e: Ref('ARRAY', of.name(e)))
            if of.kind == 'hash':
                return N(lambda e: Ref('HASH', of.name(e)))
            if of.kind == 'code':
                return N(lambda e: of.s(e))
            if of.kind == 'scalar':
                return N(lambda e: Ref('SCALAR', of.name(e)))
            self.fail('\\')
        if two in ('++', '--'):
            self.pos += 2
            of = self.unary()
            return N(lambda e: of.put(e, bumped(of.s(e), two)))
        if c == '-' and self.src[self.pos + 1:self.pos + 2] in 'edfrwxsz' and re.match(r'-[edfrwxsz]\s+["$\'/\w]', self.src[self.pos:self.pos + 20]) and not re.match(r'-\w\w', self.src[self.pos:self.pos + 4]):
            test = self.src[self.pos + 1]
            self.pos += 2
            of = self.unary()
            return N(lambda e: file_test(test, text(of.s(e))))
        if c == '-':
            self.pos += 1
            of = self.unary()
            return N(lambda e: (lambda x: -num(x) if not isinstance(x, str) or NUMBER.match(x) else '-' + x)(of.s(e)))
        if c == '+':
            self.pos += 1
            return self.unary()
        value = self.postfix()
        if self.ahead(2) == '**' and self.ahead(3) != '**=':
            self.pos += 2
            line, right = self.line(), self.unary()
            f = arith('**', line)
            return N(lambda e: f(value.s(e), right.s(e)))
        return value
    def postfix(self):
        value = self.subscripts(self.primary())
        two = self.src[self.pos:self.pos + 2] if not self.ahead().isspace() else ''
        if two in ('++', '--') and value.put:
            self.pos += 2
            def bump(e):
                old = value.s(e)
                value.put(e, bumped(old, two))
                return 0 if old is None else old
            return N(bump)
        return value
    def subscripts(self, value, plain=False):
        while True:
            two = self.src[self.pos:self.pos + 2] if plain else self.ahead(2)
            direct = value.kind == 'element'
            if two == '->' and self.src[self.pos + 2:self.pos + 3] in '[{' or direct and two[:1] in ('[', '{'):
                self.pos += 2 if two == '->' else 0
                value = self.element(value)
            elif two == '->' and self.src[self.pos + 2:self.pos + 3] == '(' and not plain:
                self.pos += 3
                args = self.args(')')
                value = (lambda f, args: listed(lambda e: invoke(f.s(e), args(e))))(value, args)
            elif two == '->' and self.src[self.pos + 2:self.pos + 4] == '@*':
                self.pos += 4
                value = self.deref('@', value)
            else:
                return value
    def element(self, base):
        def target(e, kind):
            r = base.s(e)
            if r is None and base.put:
                r = Ref(kind, [] if kind == 'ARRAY' else {})
                base.put(e, r)
            if not isinstance(r, Ref) or r.kind != kind:
                raise Die('Not %s reference at %s line %d.\n' % ('an ARRAY' if kind == 'ARRAY' else 'a HASH', NAME[0], self.line()))
            return r.to
        if self.src[self.pos] == '[':
            return self.at_index(lambda e: target(e, 'ARRAY'))
        return self.at_key(lambda e: target(e, 'HASH'))
    def at_index(self, array):
        self.pos += 1
        at = self.expr()
        self.need(']')
        return index_node(array, at)
    def at_key(self, hash):
        self.pos += 1
        key = self.key()
        self.need('}')
        return key_node(hash, key)
    def key(self):
        m = re.match(r'\s*(-?\w+)\s*\}', self.src[self.pos:self.pos + 60])
        if m and not m.group(1).isdigit():
            self.pos += m.end() - 1
            return const(m.group(1))
        return self.expr()
    def args(self, end):
        all = []
        while not self.eat(end):
            all.append(self.assign())
            if not (self.eat(',') or self.eat('=>')) and not self.see(end):
                self.fail()
        return flat(all) if all else lambda e: []
    def deref(self, sigil, ref):
        kind = {'@': 'ARRAY', '%': 'HASH', '$': 'SCALAR'}[sigil]
        def target(e):
            r = ref.s(e)
            if r is None and ref.put and sigil != '$':
                r = Ref(kind, [] if sigil == '@' else {})
                ref.put(e, r)
            if not isinstance(r, Ref) or r.kind != kind:
                raise Die('Not %s reference at %s line %d.\n' % ({'@': 'an ARRAY', '%': 'a HASH', '$': 'a SCALAR'}[sigil], NAME[0], self.line()))
            return r.to
        return variable(sigil, target)
