SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGCONT, SIGSTOP, SIGPIPE, SIGCHLD = 1, 2, 3, 9, 10, 12, 14, 15, 18, 19, 13, 17
SIG_DFL, SIG_IGN = 0, 1
def signal(signum, handler):
    return _set(signum, handler)
def getsignal(signum):
    return SIG_DFL
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate signal.' + name)
