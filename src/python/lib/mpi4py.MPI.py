import os as _os, time as _time, pickle as _pickle, atexit as _atexit
ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED = -1, -1, -2, -32766
class _Op:
    def __init__(self, name, f):
        self.name, self.f = name, f
SUM, PROD = _Op('sum', lambda a, b: a + b), _Op('prod', lambda a, b: a * b)
MAX, MIN = _Op('max', lambda a, b: b if b > a else a), _Op('min', lambda a, b: b if b < a else a)
LAND, LOR = _Op('and', lambda a, b: a and b), _Op('or', lambda a, b: a or b)
DOUBLE, INT, FLOAT, LONG, CHAR, BYTE = 'double', 'int', 'float', 'long', 'char', 'byte'
THREAD_SINGLE, THREAD_MULTIPLE = 0, 3
class Exception(RuntimeError): pass
class Status:
    def Get_source(self):
        return self.source
    def Get_tag(self):
        return self.tag
class Request:
    def __init__(self, f=None, value=None):
        self._f, self._v = f, value
    def wait(self, status=None):
        if self._f is not None:
            self._v, self._f = self._f(), None
        return self._v
    Wait = wait
    def test(self):
        return True, self.wait()
    @staticmethod
    def waitall(requests):
        return [r.wait() for r in requests]
    Waitall = waitall
def _number(*names):
    for n in names:
        v = _os.environ.get(n, '')
        if v.isdigit():
            return int(v)
    return None
def _place():
    step = _os.environ.get('SLURM_STEP_ID', '')
    in_step = step.isdigit()
    rank = _number('OMPI_COMM_WORLD_RANK', 'PMI_RANK')
    size = _number('OMPI_COMM_WORLD_SIZE', 'PMI_SIZE')
    if rank is None and in_step:
        rank, size = _number('SLURM_PROCID'), _number('SLURM_STEP_NUM_TASKS', 'SLURM_NTASKS')
    name = '%s.%s' % (_os.environ.get('SLURM_JOB_ID', str(_os.getppid())), step or '0')
    return rank or 0, size or 1, name
_rank, _size, _name = _place()
# Messages between the processes of a step are files in the home folder, which all nodes have.
_folder = _os.path.join(_os.environ.get('HOME', '/tmp'), '.mpi4py', _name)
_sent, _got = {}, {}
class Comm:
    rank, size, name = _rank, _size, 'MPI_COMM_WORLD'
    def Get_rank(self):
        return self.rank
    def Get_size(self):
        return self.size
    def Get_name(self):
        return self.name
    def _file(self, source, dest, tag, n):
        return _os.path.join(_folder, '%s.%d.%d.%s.%d' % (self.name, source, dest, tag, n))
    def _send(self, x, dest, tag):
        if not 0 <= dest < self.size:
            raise Exception('MPI_ERR_RANK: invalid rank')
        key = (self.name, self.rank, dest, tag)
        n = _sent[key] = _sent.get(key, 0) + 1
        _os.makedirs(_folder, exist_ok=True)
        name = self._file(self.rank, dest, tag, n)
        with open(name + '.new', 'wb') as f:
            f.write(_pickle.dumps(x))
        _os.rename(name + '.new', name)
    def _receive(self, source, tag):
        key = (self.name, source, self.rank, tag)
        n = _got.get(key, 0) + 1
        name = self._file(source, self.rank, tag, n)
        pause = 0.0001
        while not _os.path.exists(name):
            _time.sleep(pause)
            pause = min(pause * 1.5, 2.0)
        _got[key] = n
        with open(name, 'rb') as f:
            x = _pickle.loads(f.read())
        _os.remove(name)
        return x
    def send(self, obj, dest, tag=0):
        self._send(obj, dest, 'p%d' % tag)
    ssend = bsend = send
    def isend(self, obj, dest, tag=0):
        self.send(obj, dest, tag)
        return Request()
    def recv(self, buf=None, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        source, tag = self._match(source, tag)
        if status is not None:
            status.source, status.tag = source, tag
        return self._receive(source, 'p%d' % tag)
    def _match(self, source, tag):
        if source != ANY_SOURCE and tag != ANY_TAG:
            return source, tag
        pause = 0.0001
        while True:
            found = []
            for f in (_os.listdir(_folder) if _os.path.isdir(_folder) else []):
                parts = f.split('.')
                if len(parts) == 5 and parts[0] == self.name and parts[3].startswith('p'):
                    s, d, t, n = int(parts[1]), int(parts[2]), int(parts[3][1:]), int(parts[4])
                    if d == self.rank and source in (ANY_SOURCE, s) and tag in (ANY_TAG, t) and n == _got.get((self.name, s, d, parts[3]), 0) + 1:
                        found.append((s, t))
            if found:
                return min(found)
            _time.sleep(pause)
            pause = min(pause * 1.5, 2.0)
    def irecv(self, buf=None, source=ANY_SOURCE, tag=ANY_TAG):
        return Request(lambda: self.recv(buf, source, tag))
    def sendrecv(self, obj, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG):
        self.send(obj, dest, sendtag)
        return self.recv(None, source, recvtag if recvtag != ANY_TAG else sendtag)
    def gather(self, obj, root=0):
        if self.rank != root:
            self._send(obj, root, 'g')
            return None
        return [obj if i == root else self._receive(i, 'g') for i in range(self.size)]
    def bcast(self, obj=None, root=0):
        if self.rank == root:
            for i in range(self.size):
                if i != root:
                    self._send(obj, i, 'b')
            return obj
        return self._receive(root, 'b')
    def scatter(self, objs=None, root=0):
        if self.rank == root:
            objs = list(objs)
            if len(objs) != self.size:
                raise ValueError('expecting %d items, got %d' % (self.size, len(objs)))
            for i in range(self.size):
                if i != root:
                    self._send(objs[i], i, 's')
            return objs[root]
        return self._receive(root, 's')
    def allgather(self, obj):
        return self.bcast(self.gather(obj))
    def alltoall(self, objs):
        for i in range(self.size):
            if i != self.rank:
                self._send(objs[i], i, 'a')
        return [objs[i] if i == self.rank else self._receive(i, 'a') for i in range(self.size)]
    def reduce(self, obj, op=SUM, root=0):
        all = self.gather(obj, root)
        if all is None:
            return None
        r = all[0]
        for x in all[1:]:
            r = op.f(r, x)
        return r
    def allreduce(self, obj, op=SUM):
        return self.bcast(self.reduce(obj, op))
    def scan(self, obj, op=SUM):
        all = self.allgather(obj)
        r = all[0]
        for x in all[1:self.rank + 1]:
            r = op.f(r, x)
        return r
    def barrier(self):
        self.allgather(None)
    Barrier = barrier
    def _array(self, buf):
        return buf[0] if isinstance(buf, (list, tuple)) else buf
    def _put(self, buf, value):
        self._array(buf)[...] = value
    def Send(self, buf, dest, tag=0):
        self.send(self._array(buf), dest, tag)
    def Recv(self, buf, source=ANY_SOURCE, tag=ANY_TAG, status=None):
        self._put(buf, self.recv(None, source, tag, status))
    def Isend(self, buf, dest, tag=0):
        return self.isend(self._array(buf), dest, tag)
    def Irecv(self, buf, source=ANY_SOURCE, tag=ANY_TAG):
        return Request(lambda: self.Recv(buf, source, tag))
    def Bcast(self, buf, root=0):
        v = self.bcast(self._array(buf) if self.rank == root else None, root)
        if self.rank != root:
            self._put(buf, v)
    def Reduce(self, send, recv, op=SUM, root=0):
        v = self.reduce(self._array(send), op, root)
        if self.rank == root:
            self._put(recv, v)
    def Allreduce(self, send, recv, op=SUM):
        self._put(recv, self.allreduce(self._array(send), op))
    def Gather(self, send, recv, root=0):
        v = self.gather(self._array(send), root)
        if self.rank == root:
            import numpy
            self._put(recv, numpy.concatenate([numpy.asarray(x).ravel() for x in v]).reshape(self._array(recv).shape))
    def Scatter(self, send, recv, root=0):
        parts = None
        if self.rank == root:
            a = self._array(send).ravel()
            n = a.size // self.size
            parts = [a[i * n:(i + 1) * n] for i in range(self.size)]
        self._put(recv, self.scatter(parts, root).reshape(self._array(recv).shape))
    def Split(self, color=0, key=0):
        raise NotImplementedError('sandbatch does not simulate MPI.Comm.Split')
    def Dup(self):
        return self
    def Free(self):
        pass
    def Abort(self, errorcode=0):
        import sys
        sys.stderr.write('MPI_ABORT was invoked on rank %d in communicator MPI_COMM_WORLD\nwith errorcode %d.\n' % (self.rank, errorcode))
        _os._exit(errorcode & 255)
class _Self(Comm):
    rank, size, name = 0, 1, 'MPI_COMM_SELF'
COMM_WORLD, COMM_SELF = Comm(), _Self()
Intracomm = Comm
def Get_processor_name():
    import socket
    return socket.gethostname()
def Wtime():
    return _time.time()
def Is_initialized():
    return True
def Is_finalized():
    return False
def Init():
    pass
def Finalize():
    pass
def Get_version():
    return (3, 1)
def Get_library_version():
    return 'Open MPI v4.1.5'
@_atexit.register
def _leave():
    try:
        _os.rmdir(_folder)
        _os.rmdir(_os.path.dirname(_folder))
    except OSError:
        pass
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate mpi4py.MPI.' + name)
