import heapq as _heapq
class Empty(Exception): pass
class Full(Exception): pass
Empty.__module__ = '_queue'
class Queue:
    def __init__(self, maxsize=0):
        self.maxsize, self._items, self._open = maxsize, [], 0
    def _take(self):
        return self._items.pop(0)
    def _add(self, x):
        self._items.append(x)
    def put(self, x, block=True, timeout=None):
        if 0 < self.maxsize <= len(self._items):
            if block and timeout is None:
                raise RuntimeError('sandbatch runs threads one after another: this queue never has room')
            raise Full
        self._add(x)
        self._open += 1
    def get(self, block=True, timeout=None):
        if not self._items:
            if block and timeout is None:
                raise RuntimeError('sandbatch runs threads one after another: nothing is ever put into this queue')
            raise Empty
        return self._take()
    def put_nowait(self, x):
        self.put(x, False)
    def get_nowait(self):
        return self.get(False)
    def qsize(self):
        return len(self._items)
    def empty(self):
        return not self._items
    def full(self):
        return 0 < self.maxsize <= len(self._items)
    def task_done(self):
        self._open -= 1
    def join(self):
        pass
SimpleQueue = Queue
class LifoQueue(Queue):
    def _take(self):
        return self._items.pop()
class PriorityQueue(Queue):
    def _take(self):
        return _heapq.heappop(self._items)
    def _add(self, x):
        _heapq.heappush(self._items, x)
