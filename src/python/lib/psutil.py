import os as _os
def cpu_count(logical=True):
    return _os.cpu_count()
class _Memory:
    def __init__(self, total, used):
        self.total, self.used, self.available, self.free = total, used, total - used, total - used
        self.percent = round(used * 100 / total, 1) if total else 0.0
def virtual_memory():
    values = {}
    with open('/proc/meminfo') as f:
        for line in f:
            k, _, v = line.partition(':')
            values[k] = int(v.split()[0]) * 1024
    return _Memory(values['MemTotal'], values['MemTotal'] - values.get('MemAvailable', values.get('MemFree', 0)))
class _Info:
    pass
class Process:
    def __init__(self, pid=None):
        self.pid = pid or _os.getpid()
    def memory_info(self):
        import resource
        m = _Info()
        m.rss = m.vms = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return m
    def cpu_affinity(self):
        return sorted(_os.sched_getaffinity(0))
    def name(self):
        return 'python3'
def cpu_percent(interval=None, percpu=False):
    if interval:
        import time
        time.sleep(interval)
    return 0.0
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate psutil.' + name)
