from multiprocessing import Connection, Pipe
import subprocess as _sub
def wait(objects, timeout=None):
    objects = list(objects)
    ready = _sub._select([o.fileno() for o in objects], [], timeout)
    return [o for o in objects if o.fileno() in ready]
