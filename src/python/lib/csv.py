QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3
class Error(Exception): pass
def reader(lines, delimiter=',', quotechar='"', **kwargs):
    lines = iter(lines)
    for line in lines:
        row, field, i, quoted = [], [], 0, False
        line = line.rstrip('\n').rstrip('\r')
        while True:
            if i >= len(line):
                if quoted:
                    field.append('\n')
                    line = next(lines).rstrip('\n').rstrip('\r')
                    i = 0
                    continue
                break
            c = line[i]
            i += 1
            if quoted:
                if c == quotechar:
                    if line[i:i + 1] == quotechar:
                        field.append(c)
                        i += 1
                    else:
                        quoted = False
                else:
                    field.append(c)
            elif c == quotechar and not field:
                quoted = True
            elif c == delimiter:
                row.append(''.join(field))
                field = []
            else:
                field.append(c)
        if line or row or field:
            row.append(''.join(field))
        yield row
class writer:
    def __init__(self, f, delimiter=',', quotechar='"', quoting=0, lineterminator='\r\n', **kwargs):
        self.f, self.d, self.q, self.quoting, self.end = f, delimiter, quotechar, quoting, lineterminator
    def _field(self, v):
        s = '' if v is None else str(v)
        if self.quoting == 1 or self.quoting == 2 and not isinstance(v, (int, float)) or self.d in s or self.q in s or '\n' in s or '\r' in s:
            return self.q + s.replace(self.q, self.q * 2) + self.q
        return s
    def writerow(self, row):
        return self.f.write(self.d.join([self._field(v) for v in row]) + self.end)
    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, **kwargs):
        self._r = reader(f, **kwargs)
        self._names = fieldnames
    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self._r, None)
        return self._names
    def __iter__(self):
        names = self.fieldnames
        for row in self._r:
            if row:
                yield dict(zip(names, row + [None] * (len(names) - len(row))))
class DictWriter:
    def __init__(self, f, fieldnames, restval='', extrasaction='raise', **kwargs):
        self.fieldnames, self.restval, self.extrasaction, self._w = fieldnames, restval, extrasaction, writer(f, **kwargs)
    def writeheader(self):
        self._w.writerow(self.fieldnames)
    def writerow(self, row):
        extra = [k for k in row if k not in self.fieldnames]
        if extra and self.extrasaction == 'raise':
            raise ValueError('dict contains fields not in fieldnames: ' + ', '.join([repr(k) for k in extra]))
        return self._w.writerow([row.get(n, self.restval) for n in self.fieldnames])
    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
