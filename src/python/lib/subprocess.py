import sys
PIPE, STDOUT, DEVNULL = -1, -2, -3
class SubprocessError(Exception): pass
class CalledProcessError(SubprocessError):
    def __init__(self, returncode, cmd, output=None, stderr=None):
        self.returncode, self.cmd, self.output, self.stdout, self.stderr = returncode, cmd, output, output, stderr
        self.args = (returncode, cmd)
    def __str__(self):
        if self.returncode < 0:
            return 'Command %r died with <Signals.SIG%s: %d>.' % (self.cmd, {9: 'KILL', 15: 'TERM', 2: 'INT'}.get(-self.returncode, 'NUM'), -self.returncode)
        return 'Command %r returned non-zero exit status %d.' % (self.cmd, self.returncode)
class TimeoutExpired(SubprocessError): pass
for _c in (SubprocessError, CalledProcessError, TimeoutExpired):
    _c.__module__ = 'subprocess'
class CompletedProcess:
    def __init__(self, args, returncode, stdout=None, stderr=None):
        self.args, self.returncode, self.stdout, self.stderr = args, returncode, stdout, stderr
    def check_returncode(self):
        if self.returncode:
            raise CalledProcessError(self.returncode, self.args, self.stdout, self.stderr)
    def __repr__(self):
        s = 'CompletedProcess(args=%r, returncode=%r' % (self.args, self.returncode)
        if self.stdout is not None:
            s += ', stdout=%r' % (self.stdout,)
        if self.stderr is not None:
            s += ', stderr=%r' % (self.stderr,)
        return s + ')'
class Popen:
    def __init__(self, args, stdin=None, stdout=None, stderr=None, shell=False, text=False, universal_newlines=False, env=None, cwd=None, encoding=None, bufsize=-1, **kwargs):
        sys.stdout.flush()
        self.args, self.returncode, self._text = args, None, text or universal_newlines or encoding is not None
        words = [args] if isinstance(args, str) else [str(a) for a in args]
        if shell:
            words = ['/bin/sh', '-c'] + words
        ends, self._out, self._err, self._in = [None, None, None], None, None, None
        close = []
        if stdin is PIPE:
            r, self._in = _pipe()
            ends[0] = r
            close.append(r)
        elif stdin is not None and stdin != DEVNULL:
            ends[0] = stdin.fileno()
        if stdout is PIPE:
            self._out, w = _pipe()
            ends[1] = w
            close.append(w)
        elif stdout is DEVNULL:
            self._null = open('/dev/null', 'w')
            ends[1] = self._null.fileno()
        elif stdout is not None:
            stdout.flush()
            ends[1] = stdout.fileno()
        if stderr is PIPE:
            self._err, w = _pipe()
            ends[2] = w
            close.append(w)
        elif stderr is STDOUT:
            ends[2] = ends[1] if ends[1] is not None else 1
        elif stderr is DEVNULL:
            self._null2 = open('/dev/null', 'w')
            ends[2] = self._null2.fileno()
        elif stderr is not None:
            ends[2] = stderr.fileno()
        import os
        old = os.getcwd()
        if cwd is not None:
            os.chdir(cwd)
        try:
            self.pid = _start(words, ends[0], ends[1], ends[2], env if env is not None else dict(os.environ))
        finally:
            for fd in close:
                _close(fd)
            if cwd is not None:
                os.chdir(old)
    def _drain(self, fd):
        parts = []
        while True:
            data = _read(fd)
            if not data:
                break
            parts.append(data)
        _close(fd)
        whole = b''
        for p in parts:
            whole = whole + p
        return whole.decode() if self._text else whole
    def communicate(self, input=None, timeout=None):
        if input is not None:
            raise NotImplementedError('sandbatch does not simulate the input of subprocess')
        if self._in is not None:
            _close(self._in)
        out = None if self._out is None else self._drain(self._out)
        err = None if self._err is None else self._drain(self._err)
        self.wait()
        return out, err
    def wait(self, timeout=None):
        if self.returncode is None:
            self.returncode = _wait(self.pid, False)
        return self.returncode
    def poll(self):
        if self.returncode is None:
            self.returncode = _wait(self.pid, True)
        return self.returncode
    def terminate(self):
        import os
        os.kill(self.pid, 15)
    def kill(self):
        import os
        os.kill(self.pid, 9)
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        self.wait()
def run(args, *, check=False, capture_output=False, input=None, timeout=None, **kwargs):
    if capture_output:
        kwargs['stdout'] = kwargs['stderr'] = PIPE
    p = Popen(args, **kwargs)
    out, err = p.communicate(input)
    if check and p.returncode:
        raise CalledProcessError(p.returncode, args, out, err)
    return CompletedProcess(args, p.returncode, out, err)
def call(args, **kwargs):
    return run(args, **kwargs).returncode
def check_call(args, **kwargs):
    return run(args, check=True, **kwargs).returncode
def check_output(args, **kwargs):
    return run(args, check=True, stdout=PIPE, **kwargs).stdout
def getoutput(cmd):
    return run(cmd, shell=True, stdout=PIPE, stderr=STDOUT, text=True).stdout.rstrip('\n')
