def count(start=0, step=1):
    while True:
        yield start
        start += step
def cycle(it):
    saved = []
    for x in it:
        yield x
        saved.append(x)
    while saved:
        for x in saved:
            yield x
def repeat(x, times=None):
    n = 0
    while times is None or n < times:
        yield x
        n += 1
class chain:
    def __init__(self, *its):
        self._g = _chain(its)
    def __iter__(self):
        return self._g
    def __next__(self):
        return next(self._g)
    @staticmethod
    def from_iterable(its):
        return _chain(its)
def _chain(its):
    for it in its:
        for x in it:
            yield x
def islice(it, *args):
    start, stop, step = 0, None, 1
    if len(args) == 1:
        stop = args[0]
    else:
        start, stop = args[0] or 0, args[1]
        if len(args) > 2:
            step = args[2] or 1
    if stop is not None and stop <= 0:
        return
    i = 0
    for x in it:
        if i >= start and (i - start) % step == 0:
            yield x
        i += 1
        if stop is not None and i >= stop:
            return
def takewhile(f, it):
    for x in it:
        if not f(x):
            return
        yield x
def dropwhile(f, it):
    dropping = True
    for x in it:
        if dropping and f(x):
            continue
        dropping = False
        yield x
def filterfalse(f, it):
    for x in it:
        if not (x if f is None else f(x)):
            yield x
def starmap(f, it):
    for args in it:
        yield f(*args)
def accumulate(it, func=None, *, initial=None):
    total = initial
    first = initial is None
    if not first:
        yield total
    for x in it:
        if first:
            total, first = x, False
        else:
            total = total + x if func is None else func(total, x)
        yield total
def product(*its, repeat=1):
    pools = [tuple(p) for p in its] * repeat
    result = [()]
    for pool in pools:
        result = [x + (y,) for x in result for y in pool]
    yield from result
def permutations(it, r=None):
    pool = tuple(it)
    r = len(pool) if r is None else r
    def walk(chosen, used):
        if len(chosen) == r:
            yield tuple(chosen)
            return
        for i in range(len(pool)):
            if i not in used:
                yield from walk(chosen + [pool[i]], used | {i})
    yield from walk([], frozenset())
def combinations(it, r):
    pool = tuple(it)
    def walk(start, chosen):
        if len(chosen) == r:
            yield tuple(chosen)
            return
        for i in range(start, len(pool)):
            yield from walk(i + 1, chosen + [pool[i]])
    yield from walk(0, [])
def combinations_with_replacement(it, r):
    pool = tuple(it)
    def walk(start, chosen):
        if len(chosen) == r:
            yield tuple(chosen)
            return
        for i in range(start, len(pool)):
            yield from walk(i, chosen + [pool[i]])
    yield from walk(0, [])
def groupby(it, key=None):
    group, current = [], None
    for x in it:
        k = x if key is None else key(x)
        if group and k != current:
            yield current, iter(group)
            group = []
        current = k
        group.append(x)
    if group:
        yield current, iter(group)
def zip_longest(*its, fillvalue=None):
    its = [list(i) for i in its]
    for n in range(max([len(i) for i in its] or [0])):
        yield tuple([i[n] if n < len(i) else fillvalue for i in its])
def pairwise(it):
    first = True
    for x in it:
        if not first:
            yield last, x
        last, first = x, False
def tee(it, n=2):
    items = list(it)
    return tuple([iter(items) for _ in range(n)])
def compress(data, selectors):
    for x, s in zip(data, selectors):
        if s:
            yield x
def batched(it, n):
    batch = []
    for x in it:
        batch.append(x)
        if len(batch) == n:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)
