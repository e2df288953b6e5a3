import _host, math as _m, csv as _csv, io as _io
import numpy as _np
__version__ = _host.version('pandas')
nan = _m.nan
NA = NaT = None
def _missing(v):
    return v is None or v != v
def isna(x):
    return x.isna() if isinstance(x, (Series, DataFrame)) else _missing(x)
isnull = isna
def notna(x):
    return ~x.isna() if isinstance(x, (Series, DataFrame)) else not _missing(x)
def _kind(values):
    kinds = {type(v) for v in values if not _missing(v)}
    gaps = any([_missing(v) for v in values])
    if not kinds:
        return 'float64' if values else 'object'
    if kinds == {bool}:
        return 'object' if gaps else 'bool'
    if kinds == {int}:
        return 'float64' if gaps else 'int64'
    if kinds <= {int, float}:
        return 'float64'
    return 'object'
def _clean(values):
    values = list(values)
    if _kind(values) == 'float64':
        return [nan if v is None else float(v) for v in values]
    return values
def _cells(values, kind, width_of_nan='NaN'):
    if kind == 'float64':
        good = [v for v in values if v == v and v - v == 0]
        sizes = [abs(v) for v in good if v]
        if sizes and (max(sizes) >= 1e15 or max(sizes) < 1e-5 or min(sizes) < 1e-6):
            return ['NaN' if v != v else '%.6e' % v for v in values]
        texts = ['%.6f' % v for v in good]
        drop = 0
        while texts and drop < 5 and all([t[-1 - drop] == '0' for t in texts]):
            drop += 1
        return ['NaN' if v != v else str(v) if v - v != 0 else ('%.6f' % v)[:len('%.6f' % v) - drop] for v in values]
    return ['NaN' if v is None or v != v else str(v) for v in values]
class _Dtype(str):
    pass
class Index(list):
    @property
    def size(self):
        return len(self)
    def tolist(self):
        return list(self)
    @property
    def values(self):
        return list(self)
    def __repr__(self):
        return 'Index(' + repr(list(self)) + ", dtype='" + _kind(self) + "')"
class _Loc:
    def __init__(self, owner, by_name):
        self._o, self._name = owner, by_name
    def _rows(self, key):
        o = self._o
        n = len(o.index)
        if isinstance(key, Series):
            return [i for i, v in enumerate(key._v) if v]
        if isinstance(key, slice):
            if not self._name:
                return list(range(n)[key])
            index = list(o.index)
            a = 0 if key.start is None else index.index(key.start)
            b = n if key.stop is None else index.index(key.stop) + 1 if key.stop in index else len([k for k in index if k <= key.stop])
            return list(range(a, b))[::key.step or 1]
        if isinstance(key, (list, Index)):
            if key and isinstance(key[0], bool):
                return [i for i, v in enumerate(key) if v]
            return [list(o.index).index(k) for k in key] if self._name else [k % n for k in key]
        if self._name:
            if key not in o.index:
                raise KeyError(key)
            return list(o.index).index(key)
        if not -n <= key < n:
            raise IndexError('single positional indexer is out-of-bounds')
        return key % n
    def __getitem__(self, key):
        o = self._o
        if isinstance(o, Series):
            r = self._rows(key)
            return o._take(r) if isinstance(r, list) else o._v[r]
        columns = None
        if isinstance(key, tuple):
            key, columns = key
        r = self._rows(key)
        if columns is not None and not self._name:
            names = list(o.columns)
            columns = names[columns] if isinstance(columns, (int, slice)) else [names[c] for c in columns]
        elif isinstance(columns, slice):
            columns = list(o.columns)
        if isinstance(r, list):
            f = o._take(r)
            return f if columns is None else f[columns]
        if isinstance(columns, str):
            return o._d[columns][r]
        names = list(o.columns) if columns is None else columns
        return Series([o._d[c][r] for c in names], index=names, name=o.index[r])
    def __setitem__(self, key, value):
        o = self._o
        if isinstance(o, Series):
            r = self._rows(key)
            for i in (r if isinstance(r, list) else [r]):
                o._v[i] = value
            return
        columns = list(o.columns)
        if isinstance(key, tuple):
            key, columns = key
        if not isinstance(columns, list):
            columns = [columns]
        if self._name and not isinstance(key, (slice, list, Series)) and key not in o.index:
            o.index.append(key)
            for c, v in zip(columns, value):
                o._d[c].append(v)
            return
        r = self._rows(key)
        rows = r if isinstance(r, list) else [r]
        for c in columns:
            if c not in o._d:
                o._d[c] = [nan] * len(o.index)
                o.columns.append(c)
            for j, i in enumerate(rows):
                o._d[c][i] = value._v[j] if isinstance(value, Series) and isinstance(r, list) else value
class _Strings:
    def __init__(self, s):
        self._s = s
    def _each(self, f):
        return Series([nan if _missing(v) else f(v) for v in self._s._v], self._s.index, self._s.name)
    def upper(self): return self._each(lambda v: v.upper())
    def lower(self): return self._each(lambda v: v.lower())
    def strip(self): return self._each(lambda v: v.strip())
    def title(self): return self._each(lambda v: v.title())
    def len(self): return self._each(len)
    def replace(self, a, b, regex=False): return self._each(lambda v: v.replace(a, b))
    def contains(self, p, case=True, na=None, regex=True):
        import re
        return self._each(lambda v: re.search(p, v, 0 if case else re.I) is not None)
    def startswith(self, p): return self._each(lambda v: v.startswith(p))
    def endswith(self, p): return self._each(lambda v: v.endswith(p))
    def split(self, by=None): return self._each(lambda v: v.split(by))
    def __getitem__(self, k): return self._each(lambda v: v[k])
    def __getattr__(self, name):
        raise NotImplementedError('sandbatch does not simulate pandas.Series.str.' + name)
class Series:
    def __init__(self, data=(), index=None, name=None, dtype=None):
        if isinstance(data, dict):
            index, data = list(data), list(data.values())
        if isinstance(data, Series):
            index = data.index if index is None else index
            data = data._v
        elif isinstance(data, _np.ndarray):
            data = data.tolist()
        elif not hasattr(data, '__iter__') or isinstance(data, str):
            data = [data] * len(index or [0])
        self._v = _clean(data)
        self.index = Index(range(len(self._v)) if index is None else index)
        self.name = name
        if dtype is not None:
            self._v = self.astype(dtype)._v
    @property
    def dtype(self):
        return _Dtype(_kind(self._v))
    @property
    def values(self):
        return _np.array(self._v) if self.dtype != 'object' else self._v
    def to_numpy(self):
        return self.values
    def __array__(self):
        return _np.array(self._v)
    @property
    def shape(self):
        return (len(self._v),)
    size = property(lambda self: len(self._v))
    empty = property(lambda self: not self._v)
    str = property(lambda self: _Strings(self))
    loc = property(lambda self: _Loc(self, True))
    iloc = property(lambda self: _Loc(self, False))
    def tolist(self):
        return list(self._v)
    to_list = tolist
    def to_dict(self):
        return dict(zip(self.index, self._v))
    def items(self):
        return list(zip(self.index, self._v))
    def keys(self):
        return self.index
    def __len__(self):
        return len(self._v)
    def __iter__(self):
        return iter(self._v)
    def __contains__(self, k):
        return k in self.index
    def _take(self, rows):
        return Series([self._v[i] for i in rows], [self.index[i] for i in rows], self.name)
    def __getitem__(self, key):
        if isinstance(key, Series):
            return self._take([i for i, v in enumerate(key._v) if v])
        if isinstance(key, slice):
            return self._take(list(range(len(self._v))[key]))
        if isinstance(key, list):
            return self._take([list(self.index).index(k) for k in key])
        if key in self.index:
            return self._v[list(self.index).index(key)]
        if isinstance(key, int) and self.index and not isinstance(self.index[0], int):
            return self._v[key]
        raise KeyError(key)
    def __setitem__(self, key, value):
        if isinstance(key, Series):
            for i, v in enumerate(key._v):
                if v:
                    self._v[i] = value
        elif key in self.index:
            self._v[list(self.index).index(key)] = value
        else:
            self.index.append(key)
            self._v.append(value)
    def _op(self, o, f, name=True):
        if isinstance(o, Series):
            other = o._v if list(o.index) == list(self.index) else [dict(zip(o.index, o._v)).get(k, nan) for k in self.index]
            keep = self.name if self.name == o.name else None
        elif isinstance(o, (list, tuple, _np.ndarray)):
            other, keep = list(o), self.name
        else:
            other, keep = [o] * len(self._v), self.name
        if len(other) != len(self._v):
            raise ValueError('Lengths must match to compare')
        return Series([f(a, b) for a, b in zip(self._v, other)], self.index, keep)
    def _num(f):
        return lambda self, o: self._op(o, lambda a, b: nan if _missing(a) or _missing(b) else f(a, b))
    __add__, __sub__, __mul__ = _num(lambda a, b: a + b), _num(lambda a, b: a - b), _num(lambda a, b: a * b)
    __radd__, __rmul__ = _num(lambda a, b: b + a), __mul__
    __rsub__ = _num(lambda a, b: b - a)
    __truediv__ = _num(lambda a, b: a / b if b else nan if not a or a != a else _m.copysign(_m.inf, a))
    __rtruediv__ = _num(lambda a, b: b / a if a else _m.inf)
    __floordiv__, __mod__, __pow__ = _num(lambda a, b: a // b), _num(lambda a, b: a % b), _num(lambda a, b: a ** b)
    def __neg__(self): return self._op(0, lambda a, b: -a)
    def __invert__(self): return self._op(0, lambda a, b: not a)
    def __and__(self, o): return self._op(o, lambda a, b: bool(a) and bool(b))
    def __or__(self, o): return self._op(o, lambda a, b: bool(a) or bool(b))
    def __eq__(self, o): return self._op(o, lambda a, b: a == b)
    def __ne__(self, o): return self._op(o, lambda a, b: a != b)
    def __lt__(self, o): return self._op(o, lambda a, b: not _missing(a) and a < b)
    def __le__(self, o): return self._op(o, lambda a, b: not _missing(a) and a <= b)
    def __gt__(self, o): return self._op(o, lambda a, b: not _missing(a) and a > b)
    def __ge__(self, o): return self._op(o, lambda a, b: not _missing(a) and a >= b)
    __hash__ = None
    def __bool__(self):
        raise ValueError('The truth value of a Series is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all().')
    def _good(self):
        return [v for v in self._v if not _missing(v)]
    def sum(self):
        g = self._good()
        if g and isinstance(g[0], str):
            return ''.join(g)
        return _np.array(g).sum() if g else 0
    def mean(self):
        g = self._good()
        if g and isinstance(g[0], str):
            raise TypeError('Could not convert string ' + repr(''.join(g)) + ' to numeric')
        return _np.array(g).sum() / len(g) if g else nan
    def var(self, ddof=1):
        g = self._good()
        if len(g) <= ddof:
            return nan
        a = _np.array(g).astype(_np.float64)
        d = a - a.sum() / len(g)
        return (d * d).sum() / (len(g) - ddof)
    def std(self, ddof=1):
        return _m.sqrt(self.var(ddof)) if len(self._good()) > ddof else nan
    def min(self): return min(self._good()) if self._good() else nan
    def max(self): return max(self._good()) if self._good() else nan
    def count(self): return len(self._good())
    def median(self): return self.quantile(0.5)
    def prod(self):
        return _m.prod(self._good())
    def quantile(self, q=0.5):
        if isinstance(q, list):
            return Series([self.quantile(x) for x in q], q, self.name)
        g = sorted(self._good())
        if not g:
            return nan
        at = q * (len(g) - 1)
        i = int(at)
        j = min(i + 1, len(g) - 1)
        return float(g[i] + (g[j] - g[i]) * (at - i))
    def nunique(self): return len(set(self._good()))
    def unique(self):
        out = list(dict.fromkeys(self._v))
        return _np.array(out) if self.dtype != 'object' else out
    def any(self): return any([bool(v) for v in self._v])
    def all(self): return all([bool(v) for v in self._v])
    def idxmax(self): return self.index[self._v.index(self.max())]
    def idxmin(self): return self.index[self._v.index(self.min())]
    def argmax(self): return self._v.index(self.max())
    def abs(self): return self._op(0, lambda a, b: abs(a))
    def round(self, n=0): return self._op(0, lambda a, b: round(a, n) if isinstance(a, float) and a == a else a)
    def cumsum(self):
        out, t = [], 0
        for v in self._v:
            t += v
            out.append(t)
        return Series(out, self.index, self.name)
    def diff(self, n=1):
        return Series([nan] * n + [b - a for a, b in zip(self._v, self._v[n:])], self.index, self.name)
    def shift(self, n=1):
        return Series([nan] * n + self._v[:len(self._v) - n], self.index, self.name)
    def isna(self): return Series([_missing(v) for v in self._v], self.index, self.name)
    isnull = isna
    def notna(self): return ~self.isna()
    notnull = notna
    def dropna(self): return self._take([i for i, v in enumerate(self._v) if not _missing(v)])
    def fillna(self, x): return Series([x if _missing(v) else v for v in self._v], self.index, self.name)
    def isin(self, values): return Series([v in list(values) for v in self._v], self.index, self.name)
    def between(self, a, b): return Series([a <= v <= b for v in self._v], self.index, self.name)
    def clip(self, lower=None, upper=None):
        return self._op(0, lambda a, b: lower if lower is not None and a < lower else upper if upper is not None and a > upper else a)
    def map(self, f):
        return Series([(f.get(v, nan) if isinstance(f, dict) else f(v)) for v in self._v], self.index, self.name)
    def apply(self, f, args=(), **kwargs):
        return Series([f(v, *args, **kwargs) for v in self._v], self.index, self.name)
    def astype(self, t):
        f = {int: int, float: float, str: str, bool: bool, 'int': int, 'int64': int, 'float': float, 'float64': float, 'float32': float, 'str': str, 'object': lambda v: v, 'category': lambda v: v}.get(t)
        if f is None:
            raise NotImplementedError('sandbatch does not simulate the pandas type %r' % (t,))
        return Series([f(v) for v in self._v], self.index, self.name)
    def value_counts(self, normalize=False):
        c = {}
        for v in self._good():
            c[v] = c.get(v, 0) + 1
        items = sorted(c.items(), key=lambda p: -p[1])
        n = len(self._good())
        r = Series([v / n if normalize else v for _, v in items], [k for k, _ in items], 'proportion' if normalize else 'count')
        r.index_name = self.name
        return r
    index_name = None
    def sort_values(self, ascending=True):
        order = sorted([i for i in range(len(self._v)) if not _missing(self._v[i])], key=lambda i: self._v[i], reverse=not ascending)
        return self._take(order + [i for i in range(len(self._v)) if _missing(self._v[i])])
    def sort_index(self, ascending=True):
        return self._take(sorted(range(len(self._v)), key=lambda i: self.index[i], reverse=not ascending))
    def head(self, n=5): return self._take(list(range(len(self._v))[:n]))
    def tail(self, n=5): return self._take(list(range(len(self._v))[-n:] if n else []))
    def nlargest(self, n=5): return self.sort_values(ascending=False).head(n)
    def nsmallest(self, n=5): return self.sort_values().head(n)
    def reset_index(self, drop=False):
        if drop:
            return Series(self._v, None, self.name)
        return DataFrame({self.index_name or 'index': list(self.index), self.name or 0: self._v})
    def to_frame(self, name=None): return DataFrame({name or self.name or 0: self._v}, index=self.index)
    def copy(self): return Series(list(self._v), list(self.index), self.name)
    def item(self):
        if len(self._v) != 1:
            raise ValueError('can only convert an array of size 1 to a Python scalar')
        return self._v[0]
    def agg(self, f):
        return Series([getattr(self, x)() for x in f], f, self.name) if isinstance(f, list) else getattr(self, f)()
    def corr(self, o):
        return float(_np.corrcoef(_np.array(self._v), _np.array(o._v))[0, 1])
    def describe(self):
        rows = ['count', 'mean', 'std', 'min', '25%', '50%', '75%', 'max']
        return Series([float(self.count()), self.mean(), self.std(), float(self.min()), self.quantile(0.25), self.quantile(0.5), self.quantile(0.75), float(self.max())], rows, self.name)
    def groupby(self, by):
        return DataFrame({'k': by._v, self.name or 0: self._v}).groupby('k')[self.name or 0]
    def to_csv(self, name=None, index=True, header=True):
        return self.to_frame().to_csv(name, index=index, header=header)
    def __repr__(self):
        kind = self.dtype
        tail = ('Name: %s, ' % self.name if self.name is not None else '') + 'dtype: ' + kind
        n = len(self._v)
        if not n:
            return 'Series([], ' + tail + ')'
        rows = list(range(n)) if n <= 60 else list(range(5)) + [None] + list(range(n - 5, n))
        cells = _cells([self._v[i] for i in rows if i is not None], kind)
        keys = [str(self.index[i]) for i in rows if i is not None]
        if n > 60:
            cells.insert(5, '...')
            keys.insert(5, '')
            tail = ('Name: %s, ' % self.name if self.name is not None else '') + 'Length: %d, dtype: ' % n + kind
        left = max([len(k) for k in keys])
        right = max([len(c) for c in cells])
        out = [k.ljust(left) + '    ' + c.rjust(right) for k, c in zip(keys, cells)]
        if self.index_name is not None:
            out.insert(0, self.index_name)
        return '\n'.join(out + [tail])
    __str__ = __repr__
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError("'Series' object has no attribute '" + name + "'")
        if name in self.index:
            return self[name]
        raise NotImplementedError('sandbatch does not simulate pandas.Series.' + name)
class DataFrame:
    def __init__(self, data=None, index=None, columns=None, dtype=None):
        d = {}
        if isinstance(data, DataFrame):
            index = data.index if index is None else index
            data = data._d
        if isinstance(data, _np.ndarray):
            data = data.tolist()
        if isinstance(data, dict):
            n = max([len(v) for v in data.values() if hasattr(v, '__len__') and not isinstance(v, str)] or [len(index) if index is not None else 0])
            for k, v in data.items():
                if isinstance(v, Series) and index is None:
                    index = v.index
                if not hasattr(v, '__iter__') or isinstance(v, str):
                    v = [v] * n
                v = list(v)
                if len(v) != n:
                    raise ValueError('All arrays must be of the same length')
                d[k] = _clean(v)
            if columns is not None:
                d = {c: d.get(c, [nan] * n) for c in columns}
        elif data is not None:
            rows = list(data)
            if rows and isinstance(rows[0], (dict, Series)):
                rows = [r.to_dict() if isinstance(r, Series) else r for r in rows]
                names = list(columns or dict.fromkeys([k for r in rows for k in r]))
                for c in names:
                    d[c] = _clean([r.get(c, nan) for r in rows])
            else:
                rows = [list(r) if isinstance(r, (list, tuple)) else [r] for r in rows]
                names = list(columns) if columns is not None else list(range(len(rows[0]) if rows else 0))
                if rows and len(rows[0]) != len(names):
                    raise ValueError('%d columns passed, passed data had %d columns' % (len(names), len(rows[0])))
                for j, c in enumerate(names):
                    d[c] = _clean([r[j] for r in rows])
        elif columns is not None:
            d = {c: [] for c in columns}
        n = len(list(d.values())[0]) if d else 0
        object.__setattr__(self, '_d', d)
        object.__setattr__(self, '_columns', Index(d))
        object.__setattr__(self, 'index', Index(range(n) if index is None else index))
        object.__setattr__(self, 'index_name', None)
    @property
    def columns(self):
        return self._columns
    @columns.setter
    def columns(self, names):
        names = list(names)
        if len(names) != len(self._columns):
            raise ValueError('Length mismatch: Expected axis has %d elements, new values have %d elements' % (len(self._columns), len(names)))
        self._d = {n: self._d[c] for n, c in zip(names, self._columns)}
        self._columns = Index(names)
    @property
    def shape(self):
        return (len(self.index), len(self._columns))
    size = property(lambda self: len(self.index) * len(self._columns))
    empty = property(lambda self: not self.index or not self._columns)
    loc = property(lambda self: _Loc(self, True))
    iloc = property(lambda self: _Loc(self, False))
    at, iat = loc, iloc
    @property
    def dtypes(self):
        r = Series([_kind(v) for v in self._d.values()], list(self._columns))
        return r
    @property
    def values(self):
        return _np.array([[self._d[c][i] for c in self._columns] for i in range(len(self.index))])
    def to_numpy(self):
        return self.values
    @property
    def T(self):
        return DataFrame({k: [self._d[c][i] for c in self._columns] for i, k in enumerate(self.index)}, index=list(self._columns))
    def __len__(self):
        return len(self.index)
    def __iter__(self):
        return iter(self._columns)
    def __contains__(self, c):
        return c in self._d
    def _take(self, rows):
        f = DataFrame({c: [v[i] for i in rows] for c, v in self._d.items()}, index=[self.index[i] for i in rows])
        f.index_name = self.index_name
        return f
    def _series(self, c):
        s = Series.__new__(Series)
        s._v, s.index, s.name = self._d[c], self.index, c
        return s
    def __getitem__(self, key):
        if isinstance(key, Series):
            return self._take([i for i, v in enumerate(key._v) if v])
        if isinstance(key, slice):
            return self._take(list(range(len(self.index))[key]))
        if isinstance(key, (list, Index)):
            if key and isinstance(key[0], bool):
                return self._take([i for i, v in enumerate(key) if v])
            gone = [c for c in key if c not in self._d]
            if gone:
                raise KeyError('%r not in index' % (gone,))
            return DataFrame({c: self._d[c] for c in key}, index=self.index)
        if key not in self._d:
            raise KeyError(key)
        return self._series(key)
    def __setitem__(self, key, value):
        n = len(self.index)
        if isinstance(value, Series):
            value = value._v if list(value.index) == list(self.index) else [dict(zip(value.index, value._v)).get(k, nan) for k in self.index]
        elif not hasattr(value, '__iter__') or isinstance(value, str):
            value = [value] * n
        value = _clean(value)
        if self._columns and len(value) != n:
            raise ValueError('Length of values (%d) does not match length of index (%d)' % (len(value), n))
        if not self._columns:
            self.index = Index(range(len(value)))
        if key not in self._d:
            self._columns.append(key)
        self._d[key] = value
    def __delitem__(self, key):
        del self._d[key]
        self._columns.remove(key)
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError("'DataFrame' object has no attribute '" + name + "'")
        if name in self._d:
            return self[name]
        raise NotImplementedError('sandbatch does not simulate pandas.DataFrame.' + name)
    def get(self, c, default=None):
        return self[c] if c in self._d else default
    def head(self, n=5): return self._take(list(range(len(self.index))[:n]))
    def tail(self, n=5): return self._take(list(range(len(self.index))[-n:] if n else []))
    def sample(self, n=1, frac=None, random_state=None):
        r = _np.random.RandomState(random_state)
        n = int(len(self.index) * frac) if frac is not None else n
        return self._take(r.permutation(len(self.index)).tolist()[:n])
    def copy(self, deep=True):
        return DataFrame({c: list(v) for c, v in self._d.items()}, index=list(self.index))
    def iterrows(self):
        for i, k in enumerate(self.index):
            yield k, Series([v[i] for v in self._d.values()], list(self._columns), k)
    def itertuples(self, index=True, name='Pandas'):
        from collections import namedtuple
        kind = namedtuple(name, (['Index'] if index else []) + [str(c) for c in self._columns])
        for i, k in enumerate(self.index):
            yield kind(*(([k] if index else []) + [v[i] for v in self._d.values()]))
    def items(self):
        return [(c, self[c]) for c in self._columns]
    def _numeric(self):
        return [c for c in self._columns if _kind(self._d[c]) in ('int64', 'float64', 'bool')]
    def _reduce(self, name, numeric_only=False, **k):
        names = self._numeric() if numeric_only or name == 'count' and False else list(self._columns)
        return Series([getattr(self[c], name)(**k) for c in names], names)
    def sum(self, axis=0, numeric_only=False):
        if axis in (1, 'columns'):
            return Series([sum([self._d[c][i] for c in self._numeric()]) for i in range(len(self.index))], list(self.index))
        return self._reduce('sum', numeric_only)
    def mean(self, axis=0, numeric_only=False):
        if axis in (1, 'columns'):
            return self.sum(1) / len(self._numeric())
        return self._reduce('mean', numeric_only)
    def std(self, numeric_only=False): return self._reduce('std', numeric_only)
    def var(self, numeric_only=False): return self._reduce('var', numeric_only)
    def min(self, numeric_only=False): return self._reduce('min', numeric_only)
    def max(self, numeric_only=False): return self._reduce('max', numeric_only)
    def median(self, numeric_only=False): return self._reduce('median', numeric_only)
    def count(self): return self._reduce('count')
    def nunique(self): return self._reduce('nunique')
    def isna(self): return DataFrame({c: [_missing(x) for x in v] for c, v in self._d.items()}, index=self.index)
    isnull = isna
    def dropna(self, subset=None):
        return self._take([i for i in range(len(self.index)) if not any([_missing(self._d[c][i]) for c in subset or self._columns])])
    def fillna(self, x):
        return DataFrame({c: self[c].fillna(x.get(c, nan) if isinstance(x, dict) else x)._v for c in self._columns}, index=self.index)
    def drop_duplicates(self, subset=None):
        seen, rows = set(), []
        for i in range(len(self.index)):
            k = tuple([self._d[c][i] for c in subset or self._columns])
            if k not in seen:
                seen.add(k)
                rows.append(i)
        return self._take(rows)
    def drop(self, labels=None, axis=0, columns=None, index=None, inplace=False):
        if columns is None and axis in (1, 'columns'):
            columns = labels
        if columns is not None:
            columns = [columns] if isinstance(columns, str) else list(columns)
            gone = [c for c in columns if c not in self._d]
            if gone:
                raise KeyError('%r not found in axis' % (gone,))
            r = DataFrame({c: v for c, v in self._d.items() if c not in columns}, index=self.index)
        else:
            labels = labels if index is None else index
            labels = labels if isinstance(labels, (list, Index)) else [labels]
            r = self._take([i for i, k in enumerate(self.index) if k not in labels])
        return self._become(r, inplace)
    def _become(self, r, inplace):
        if not inplace:
            return r
        self._d, self._columns, self.index, self.index_name = r._d, r._columns, r.index, r.index_name
    def rename(self, columns=None, inplace=False, **kwargs):
        f = columns if callable(columns) else lambda c: (columns or {}).get(c, c)
        return self._become(DataFrame({f(c): v for c, v in self._d.items()}, index=self.index), inplace)
    def assign(self, **kwargs):
        r = self.copy()
        for k, v in kwargs.items():
            r[k] = v(r) if callable(v) else v
        return r
    def sort_values(self, by, ascending=True, inplace=False, ignore_index=False):
        by = [by] if isinstance(by, str) else list(by)
        ups = ascending if isinstance(ascending, list) else [ascending] * len(by)
        rows = list(range(len(self.index)))
        for c, up in reversed(list(zip(by, ups))):
            if c not in self._d:
                raise KeyError(c)
            v = self._d[c]
            good, bad = [i for i in rows if not _missing(v[i])], [i for i in rows if _missing(v[i])]
            rows = sorted(good, key=lambda i: v[i], reverse=not up) + bad
        r = self._take(rows)
        return self._become(r.reset_index(drop=True) if ignore_index else r, inplace)
    def sort_index(self, ascending=True):
        return self._take(sorted(range(len(self.index)), key=lambda i: self.index[i], reverse=not ascending))
    def nlargest(self, n, columns): return self.sort_values(columns, ascending=False).head(n)
    def nsmallest(self, n, columns): return self.sort_values(columns).head(n)
    def reset_index(self, drop=False, inplace=False):
        d = dict(self._d) if drop else {self.index_name or 'index': list(self.index), **self._d}
        return self._become(DataFrame(d), inplace)
    def set_index(self, c, inplace=False):
        r = DataFrame({k: v for k, v in self._d.items() if k != c}, index=self._d[c])
        r.index_name = c
        return self._become(r, inplace)
    def apply(self, f, axis=0):
        if axis in (1, 'columns'):
            return Series([f(row) for _, row in self.iterrows()], list(self.index))
        return Series([f(self[c]) for c in self._columns], list(self._columns))
    def astype(self, t):
        return DataFrame({c: (self[c].astype(t[c] if isinstance(t, dict) else t)._v if not isinstance(t, dict) or c in t else v) for c, v in self._d.items()}, index=self.index)
    def round(self, n=0):
        return DataFrame({c: self[c].round(n)._v for c in self._columns}, index=self.index)
    def query(self, text):
        space = {c: self[c] for c in self._columns}
        return self[eval(text.replace(' and ', ' & ').replace(' or ', ' | '), space)]
    def corr(self, numeric_only=False):
        names = self._numeric()
        return DataFrame({a: [self[a].corr(self[b]) for b in names] for a in names}, index=names)
    def describe(self):
        names = self._numeric()
        return DataFrame({c: self[c].describe()._v for c in names}, index=['count', 'mean', 'std', 'min', '25%', '50%', '75%', 'max'])
    def agg(self, f):
        if isinstance(f, dict):
            return Series([getattr(self[c], g)() for c, g in f.items()], list(f))
        return self._reduce(f) if isinstance(f, str) else DataFrame({c: [getattr(self[c], g)() for g in f] for c in self._columns}, index=f)
    def groupby(self, by, as_index=True, sort=True):
        return _Groups(self, [by] if isinstance(by, str) else list(by), as_index, sort)
    def merge(self, other, on=None, how='inner', left_on=None, right_on=None):
        a, b = left_on or on, right_on or on
        if a is None:
            a = b = [c for c in self._columns if c in other._d]
        a, b = ([a] if isinstance(a, str) else a), ([b] if isinstance(b, str) else b)
        index = {}
        for j in range(len(other.index)):
            index.setdefault(tuple([other._d[c][j] for c in b]), []).append(j)
        pairs, used = [], set()
        for i in range(len(self.index)):
            found = index.get(tuple([self._d[c][i] for c in a]), [])
            pairs.extend([(i, j) for j in found])
            used.update(found)
            if not found and how in ('left', 'outer'):
                pairs.append((i, None))
        if how in ('right', 'outer'):
            pairs.extend([(None, j) for j in range(len(other.index)) if j not in used])
        d = {}
        for c in self._columns:
            d[c + '_x' if c in other._d and c not in b else c] = [self._d[c][i] if i is not None else other._d[b[a.index(c)]][j] if c in a else nan for i, j in pairs]
        for c in other._columns:
            if c not in b or c not in a:
                d[c + '_y' if c in self._d else c] = [other._d[c][j] if j is not None else nan for i, j in pairs]
        return DataFrame(d)
    def to_dict(self, orient='dict'):
        if orient == 'records':
            return [{c: v[i] for c, v in self._d.items()} for i in range(len(self.index))]
        if orient == 'list':
            return {c: list(v) for c, v in self._d.items()}
        return {c: dict(zip(self.index, v)) for c, v in self._d.items()}
    def to_csv(self, name=None, sep=',', index=True, header=True, float_format=None, mode='w'):
        f = _io.StringIO() if name is None else open(name, mode, newline='')
        w = _csv.writer(f, delimiter=sep, lineterminator='\n')
        if header:
            w.writerow(([self.index_name or ''] if index else []) + [str(c) for c in self._columns])
        for i, k in enumerate(self.index):
            row = ['' if _missing(v[i]) else float_format % v[i] if float_format and isinstance(v[i], float) else v[i] for v in self._d.values()]
            w.writerow(([k] if index else []) + row)
        if name is None:
            return f.getvalue()
        f.close()
    def to_json(self, name=None, orient='columns'):
        import json
        d = self.to_dict('records') if orient == 'records' else {str(c): {str(k): x for k, x in zip(self.index, v)} for c, v in self._d.items()}
        text = json.dumps(d, separators=(',', ':'))
        if name is None:
            return text
        with open(name, 'w') as f:
            f.write(text)
    def info(self):
        print("<class 'pandas.core.frame.DataFrame'>")
        raise NotImplementedError('sandbatch does not simulate pandas.DataFrame.info')
    def to_string(self, index=True):
        return self._text(10 ** 9, index)
    def _text(self, most, with_index=True):
        n = len(self.index)
        if not self._columns or not n:
            return 'Empty DataFrame\nColumns: [' + ', '.join([str(c) for c in self._columns]) + ']\nIndex: []'
        brief = n > most
        rows = list(range(n)) if not brief else list(range(5)) + list(range(n - 5, n))
        keys = [str(self.index[i]) for i in rows]
        table = []
        for c in self._columns:
            kind = _kind(self._d[c])
            cells = _cells([self._d[c][i] for i in rows], kind)
            # There is a place for a sign.
            cells = [' ' + x for x in cells]
            head = (' ' if kind != 'object' else '') + str(c)
            width = max([len(head)] + [len(x) for x in cells])
            if brief:
                cells.insert(5, '...' if width > 3 else '..')
            table.append([head.rjust(width)] + [x.rjust(width) for x in cells])
        if brief:
            keys.insert(5, '..')
        heads = ['']
        if self.index_name is not None:
            for column in table:
                column.insert(1, ' ' * len(column[0]))
            heads.append(str(self.index_name))
        left = max([len(k) for k in keys + heads])
        keys = [k.ljust(left) for k in heads + keys]
        lines = [(k + ' ' if with_index else '') + ' '.join(cells) for k, cells in zip(keys, [list(r) for r in zip(*table)])]
        if not with_index:
            lines = [' ' + l if False else l for l in lines]
        text = '\n'.join(lines)
        return text + ('\n\n[%d rows x %d columns]' % (n, len(self._columns)) if brief else '')
    def __repr__(self):
        return self._text(60)
    __str__ = __repr__
class _Groups:
    def __init__(self, frame, by, as_index, sort, columns=None):
        self._f, self._by, self._as, self._sort, self._c = frame, by, as_index, sort, columns
    def _groups(self):
        g = {}
        for c in self._by:
            if c not in self._f._d:
                raise KeyError(c)
        for i in range(len(self._f.index)):
            k = tuple([self._f._d[c][i] for c in self._by])
            if not any([_missing(x) for x in k]):
                g.setdefault(k, []).append(i)
        keys = sorted(g) if self._sort else list(g)
        return [(k[0] if len(k) == 1 else k, g[k]) for k in keys]
    def __iter__(self):
        for k, rows in self._groups():
            yield k, self._f._take(rows)
    def __len__(self):
        return len(self._groups())
    def __getitem__(self, c):
        if c not in self._f._d if isinstance(c, str) else False:
            raise KeyError('Column not found: ' + str(c))
        return _Groups(self._f, self._by, self._as, self._sort, c)
    ngroups = property(lambda self: len(self._groups()))
    @property
    def groups(self):
        return {k: [self._f.index[i] for i in rows] for k, rows in self._groups()}
    def get_group(self, k):
        return self._f._take(dict(self._groups())[k])
    def size(self):
        g = self._groups()
        r = Series([len(rows) for _, rows in g], [k for k, _ in g])
        r.index_name = self._by[0] if len(self._by) == 1 else None
        return r
    def _apply(self, f, numeric=True):
        g = self._groups()
        keys = [k for k, _ in g]
        if len(self._by) > 1:
            if self._as:
                raise NotImplementedError('sandbatch does not simulate a pandas index of several columns: use as_index=False')
        one = isinstance(self._c, str)
        names = [self._c] if one else self._c or [c for c in self._f._columns if c not in self._by]
        d = {c: [f(self._f._take(rows)[c]) for _, rows in g] for c in names}
        if not self._as:
            lead = {b: [k if len(self._by) == 1 else k[j] for k in keys] for j, b in enumerate(self._by)}
            return DataFrame({**lead, **d})
        if one:
            r = Series(d[self._c], keys, self._c)
        else:
            r = DataFrame(d, index=keys)
        r.index_name = self._by[0]
        return r
    def mean(self, numeric_only=False): return self._apply(lambda s: s.mean())
    def sum(self, numeric_only=False): return self._apply(lambda s: s.sum())
    def min(self): return self._apply(lambda s: s.min())
    def max(self): return self._apply(lambda s: s.max())
    def std(self): return self._apply(lambda s: s.std())
    def median(self): return self._apply(lambda s: s.median())
    def count(self): return self._apply(lambda s: s.count())
    def nunique(self): return self._apply(lambda s: s.nunique())
    def first(self): return self._apply(lambda s: s._v[0])
    def last(self): return self._apply(lambda s: s._v[-1])
    def agg(self, f):
        if isinstance(f, str):
            return self._apply(lambda s: getattr(s, f)())
        if callable(f):
            return self._apply(f)
        g = self._groups()
        keys = [k for k, _ in g]
        if isinstance(f, dict):
            d = {c: [getattr(self._f._take(rows)[c], x)() for _, rows in g] for c, x in f.items()}
        else:
            d = {x: [getattr(self._f._take(rows)[self._c], x)() for _, rows in g] for x in f}
        r = DataFrame(d, index=keys)
        r.index_name = self._by[0]
        return r if self._as else r.reset_index()
    def apply(self, f):
        g = self._groups()
        r = Series([f(self._f._take(rows) if self._c is None else self._f._take(rows)[self._c]) for _, rows in g], [k for k, _ in g])
        r.index_name = self._by[0]
        return r
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise NotImplementedError('sandbatch does not simulate pandas groupby.' + name)
def _value(text, gaps):
    if text in gaps:
        return nan
    if text in ('True', 'TRUE', 'true'):
        return True
    if text in ('False', 'FALSE', 'false'):
        return False
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text
_GAPS = ('', 'NaN', 'nan', 'NA', 'N/A', 'n/a', 'null', 'NULL', 'None', '#N/A', '<NA>')
def _column(texts, kind=None):
    values = [_value(t, _GAPS) for t in texts]
    if any([isinstance(v, str) for v in values]):
        return [nan if t in _GAPS else t for t in texts]
    return values
def read_csv(name, sep=',', delimiter=None, header=0, names=None, index_col=None, usecols=None, nrows=None, skiprows=0, comment=None, dtype=None, **kwargs):
    f = name if hasattr(name, 'read') else open(name, newline='')
    sep = delimiter or sep
    if sep in (r'\s+',):
        rows = [line.split() for line in f]
    else:
        rows = [r for r in _csv.reader(f, delimiter=sep)]
    rows = [r for r in rows[skiprows:] if r and r != [''] and not (comment and r[0].startswith(comment))]
    if not rows:
        raise EmptyDataError('No columns to parse from file')
    if names is None:
        names = rows.pop(0) if header == 0 else list(range(len(rows[0])))
    if nrows is not None:
        rows = rows[:nrows]
    d = {}
    for j, c in enumerate(names):
        if usecols is None or c in usecols:
            d[c] = _column([r[j] if j < len(r) else '' for r in rows])
    frame = DataFrame(d)
    _host.work(len(rows) * len(names) // 5)
    if dtype is not None:
        frame = frame.astype(dtype)
    return frame if index_col is None else frame.set_index(names[index_col] if isinstance(index_col, int) else index_col)
read_table = lambda name, sep='\t', **k: read_csv(name, sep, **k)
def read_json(name, **kwargs):
    import json
    with open(name) as f:
        return DataFrame(json.load(f))
def concat(parts, axis=0, ignore_index=False):
    parts = list(parts)
    if not parts:
        raise ValueError('No objects to concatenate')
    if isinstance(parts[0], Series):
        if axis == 1:
            return DataFrame({p.name: p._v for p in parts}, index=parts[0].index)
        return Series([v for p in parts for v in p._v], None if ignore_index else [k for p in parts for k in p.index], parts[0].name)
    if axis in (1, 'columns'):
        d = {}
        for p in parts:
            d.update(p._d)
        return DataFrame(d, index=parts[0].index)
    names = list(dict.fromkeys([c for p in parts for c in p._columns]))
    return DataFrame({c: [v for p in parts for v in (p._d[c] if c in p._d else [nan] * len(p.index))] for c in names}, index=None if ignore_index else [k for p in parts for k in p.index])
def merge(a, b, **kwargs):
    return a.merge(b, **kwargs)
def to_numeric(s, errors='raise'):
    out = []
    for v in s:
        try:
            out.append(v if isinstance(v, (int, float)) else _value(v, _GAPS) + 0)
        except TypeError:
            if errors != 'coerce':
                raise ValueError('Unable to parse string "%s" at position %d' % (v, len(out))) from None
            out.append(nan)
    return Series(out, s.index, s.name)
class EmptyDataError(ValueError): pass
EmptyDataError.__module__ = 'pandas.errors'
class _Options:
    def __getattr__(self, name):
        return self
    def __setattr__(self, name, value):
        pass
options = _Options()
def set_option(*args):
    pass
def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'pandas' has no attribute '" + name + "'")
    raise NotImplementedError('sandbatch does not simulate pandas.' + name)
