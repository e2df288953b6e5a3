from enum import IntEnum as _IntEnum
class Signals(_IntEnum):
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGFPE, SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM = 1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15
    SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ = 17, 18, 19, 20, 21, 22, 24, 25
class Handlers(_IntEnum):
    SIG_DFL, SIG_IGN = 0, 1
SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGFPE, SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ = list(Signals)
SIG_DFL, SIG_IGN = Handlers.SIG_DFL, Handlers.SIG_IGN
_handlers = {}
def default_int_handler(signum, frame):
    raise KeyboardInterrupt
def signal(signum, handler):
    number = int(signum)
    if number in (9, 19):
        raise OSError(22, 'Invalid argument')
    if not callable(handler) and handler not in (0, 1):
        raise TypeError('signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object')
    old = getsignal(number)
    _set(number, int(handler) if isinstance(handler, Handlers) else handler)
    _handlers[number] = handler
    return old
def getsignal(signum):
    number = int(signum)
    return _handlers.get(number, default_int_handler if number == 2 else SIG_DFL)
def raise_signal(signum):
    import os
    os.kill(os.getpid(), int(signum))
def strsignal(signum):
    return {1: 'Hangup', 2: 'Interrupt', 9: 'Killed', 10: 'User defined signal 1', 12: 'User defined signal 2', 15: 'Terminated'}.get(int(signum))
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate signal.' + name)
