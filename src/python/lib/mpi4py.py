import _host
_host.model()
__version__ = _host.version('mpi4py')
class _Rc:
    initialize = finalize = True
    threads = True
rc = _Rc()
