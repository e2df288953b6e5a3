def _fits(e, condition):
    if isinstance(condition, type) or isinstance(condition, tuple):
        return isinstance(e, condition)
    return condition(e)
class BaseExceptionGroup(BaseException):
    def __new__(cls, message, exceptions):
        if not isinstance(message, str):
            raise TypeError('BaseExceptionGroup.__new__() argument 1 must be str, not ' + type(message).__name__)
        if not isinstance(exceptions, (list, tuple)):
            raise TypeError('second argument (exceptions) must be a sequence')
        if not exceptions:
            raise ValueError('second argument (exceptions) must be a non-empty sequence')
        plain = True
        for i, e in enumerate(exceptions):
            if not isinstance(e, BaseException):
                raise ValueError('Item %d of second argument (exceptions) is not an exception' % i)
            plain = plain and isinstance(e, Exception)
        if cls is BaseExceptionGroup and plain:
            cls = ExceptionGroup
        elif not plain and issubclass(cls, Exception):
            raise TypeError('Cannot nest BaseExceptions in an ExceptionGroup' if cls is ExceptionGroup else "Cannot nest BaseExceptions in '%s'" % cls.__name__)
        o = object.__new__(cls)
        o.args = (message, exceptions)
        o.message, o.exceptions = message, tuple(exceptions)
        return o
    def __str__(self):
        n = len(self.exceptions)
        return '%s (%d sub-exception%s)' % (self.message, n, '' if n == 1 else 's')
    def derive(self, exceptions):
        return BaseExceptionGroup(self.message, exceptions)
    def split(self, condition):
        if _fits(self, condition):
            return self, None
        yes, no = [], []
        for e in self.exceptions:
            if isinstance(e, BaseExceptionGroup):
                a, b = e.split(condition)
            elif _fits(e, condition):
                a, b = e, None
            else:
                a, b = None, e
            if a is not None:
                yes.append(a)
            if b is not None:
                no.append(b)
        return _derived(self, yes), _derived(self, no)
    def subgroup(self, condition):
        return self.split(condition)[0]
    def __class_getitem__(cls, item):
        return cls
class ExceptionGroup(BaseExceptionGroup, Exception): pass
def _derived(group, exceptions):
    if not exceptions:
        return None
    d = group.derive(exceptions)
    d.__trace__ = list(getattr(group, '__trace__', ()))
    for name in ('__cause__', '__context__', '__suppress_context__'):
        if hasattr(group, name):
            setattr(d, name, getattr(group, name))
    if hasattr(group, '__notes__'):
        d.__notes__ = list(group.__notes__)
    return d
class _Star:
    def __init__(self, e):
        self.all, self.rest, self.raised = e, e, []
def _star_begin(e):
    return _Star(e)
def _star_split(star, kind):
    for k in kind if isinstance(kind, tuple) else (kind,):
        if not isinstance(k, type) or not issubclass(k, BaseException):
            raise TypeError('catching classes that do not inherit from BaseException is not allowed')
        if issubclass(k, BaseExceptionGroup):
            raise TypeError('catching ExceptionGroup with except* is not allowed. Use except instead.')
    if star.rest is None:
        return None
    if isinstance(star.rest, BaseExceptionGroup):
        found, star.rest = star.rest.split(kind)
        return found
    if isinstance(star.rest, kind):
        e, star.rest = star.rest, None
        return BaseExceptionGroup('', (e,))
    return None
def _leaves(e, found):
    if isinstance(e, BaseExceptionGroup):
        for x in e.exceptions:
            _leaves(x, found)
    else:
        found.append(e)
    return found
def _star_raised(star, e):
    star.raised.append(e)
    return star
def _star_end(star):
    if not star.raised:
        return star.rest
    rest = [] if star.rest is None else [star.rest]
    own = {id(x) for x in _leaves(star.all, [])}
    # Parts of the caught group that a handler raised again stay in their group.
    again = [e for e in star.raised if isinstance(star.all, BaseExceptionGroup) and all([id(x) in own for x in _leaves(e, [])])]
    new = [e for e in star.raised if e not in again]
    kept = again + rest
    if kept and isinstance(star.all, BaseExceptionGroup):
        ids = {id(x) for e in kept for x in _leaves(e, [])}
        kept = [star.all.split(lambda e: not isinstance(e, BaseExceptionGroup) and id(e) in ids)[0]]
    if not new:
        return kept[0]
    if len(new) == 1 and not kept and not isinstance(star.all, BaseExceptionGroup):
        return new[0]
    return BaseExceptionGroup('', new + kept)
for _c in (BaseExceptionGroup, ExceptionGroup):
    _c.__module__ = 'builtins'
    _define(_c.__name__, _c)
_define('_star_begin', _star_begin)
_define('_star_split', _star_split)
_define('_star_raised', _star_raised)
_define('_star_end', _star_end)
