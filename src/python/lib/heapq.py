def heappush(h, x):
    h.append(x)
    i = len(h) - 1
    while i and h[i] < h[(i - 1) // 2]:
        p = (i - 1) // 2
        h[i], h[p] = h[p], h[i]
        i = p
def _down(h, i):
    n = len(h)
    while True:
        c = 2 * i + 1
        if c >= n:
            return
        if c + 1 < n and not h[c] < h[c + 1]:
            c += 1
        if not h[c] < h[i]:
            return
        h[i], h[c] = h[c], h[i]
        i = c
def heappop(h):
    if not h:
        raise IndexError('index out of range')
    last = h.pop()
    if h:
        last, h[0] = h[0], last
        _down(h, 0)
    return last
def heappushpop(h, x):
    if h and h[0] < x:
        x, h[0] = h[0], x
        _down(h, 0)
    return x
def heapreplace(h, x):
    r = h[0]
    h[0] = x
    _down(h, 0)
    return r
def merge(*its, key=None, reverse=False):
    yield from sorted([x for it in its for x in it], key=key, reverse=reverse)
def heapify(h):
    for i in reversed(range(len(h) // 2)):
        _down(h, i)
def nlargest(n, it, key=None):
    return sorted(it, key=key, reverse=True)[:n]
def nsmallest(n, it, key=None):
    return sorted(it, key=key)[:n]
