import heapq as _heapq
from threading import _await, _changed
class Empty(Exception): pass
class Full(Exception): pass
Empty.__module__ = '_queue'
Full.__module__ = 'queue'
class Queue:
    def __init__(self, maxsize=0):
        self.maxsize, self.unfinished_tasks = maxsize, 0
        self.queue = []
    def _take(self):
        return self.queue.pop(0)
    def _add(self, x):
        self.queue.append(x)
    def put(self, item, block=True, timeout=None):
        if 0 < self.maxsize <= len(self.queue):
            if timeout is not None and timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            if not block or not _await(lambda: len(self.queue) < self.maxsize, timeout):
                raise Full
        self._add(item)
        self.unfinished_tasks += 1
        _changed()
    def get(self, block=True, timeout=None):
        if not self.queue:
            if timeout is not None and timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            if not block or not _await(lambda: self.queue, timeout):
                raise Empty
        item = self._take()
        _changed()
        return item
    def put_nowait(self, item):
        self.put(item, False)
    def get_nowait(self):
        return self.get(False)
    def empty(self):
        return not self.queue
    def full(self):
        return 0 < self.maxsize <= len(self.queue)
    def qsize(self):
        return len(self.queue)
    def task_done(self):
        if not self.unfinished_tasks:
            raise ValueError('task_done() called too many times')
        self.unfinished_tasks -= 1
        _changed()
    def join(self):
        _await(lambda: not self.unfinished_tasks)
class SimpleQueue(Queue):
    def __init__(self):
        super().__init__()
class LifoQueue(Queue):
    def _take(self):
        return self.queue.pop()
class PriorityQueue(Queue):
    def _take(self):
        return _heapq.heappop(self.queue)
    def _add(self, x):
        _heapq.heappush(self.queue, x)
