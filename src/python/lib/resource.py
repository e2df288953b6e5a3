import sys as _sys
RUSAGE_SELF, RUSAGE_CHILDREN = 0, -1
RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_STACK, RLIM_INFINITY = 9, 7, 3, -1
class _Usage:
    pass
def getrusage(who):
    import time
    u = _Usage()
    u.ru_maxrss = 9216 + _sys._memory() // 1024
    u.ru_utime, u.ru_stime = time.process_time(), 0.0
    return u
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate resource.' + name)
