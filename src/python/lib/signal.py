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
ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF = 0, 1, 2
SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK = 0, 1, 2
class ItimerError(OSError): pass
def alarm(seconds):
    left, _ = _timer(seconds, 0)
    return -int(-left // 1)
def setitimer(which, seconds, interval=0.0):
    if which != ITIMER_REAL:
        raise NotImplementedError('sandbatch simulates only ITIMER_REAL')
    return _timer(seconds, interval)
def getitimer(which):
    return _timer()
def siginterrupt(signum, flag):
    pass
def valid_signals():
    return set(Signals)
def raise_signal(signum):
    import os
    os.kill(os.getpid(), int(signum))
def strsignal(signum):
    return {1: 'Hangup', 2: 'Interrupt', 3: 'Quit', 4: 'Illegal instruction', 6: 'Aborted', 8: 'Floating point exception', 9: 'Killed', 10: 'User defined signal 1', 11: 'Segmentation fault', 12: 'User defined signal 2', 13: 'Broken pipe', 14: 'Alarm clock', 15: 'Terminated', 17: 'Child exited', 18: 'Continued', 19: 'Stopped (signal)', 20: 'Stopped', 24: 'CPU time limit exceeded', 25: 'File size limit exceeded'}.get(int(signum))
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate signal.' + name)
