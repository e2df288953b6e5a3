import sys
PIPE, STDOUT, DEVNULL = -1, -2, -3
class SubprocessError(Exception): pass
class CalledProcessError(SubprocessError):
    def __init__(self, returncode, cmd, output=None, stderr=None):
        self.returncode, self.cmd, self.output, self.stdout, self.stderr = returncode, cmd, output, output, stderr
        self.args = (returncode, cmd)
    def __str__(self):
        if self.returncode < 0:
            import signal
            return "Command '%s' died with %r." % (self.cmd, signal.Signals(-self.returncode))
        return "Command '%s' returned non-zero exit status %d." % (self.cmd, self.returncode)
class TimeoutExpired(SubprocessError):
    def __init__(self, cmd, timeout, output=None, stderr=None):
        self.cmd, self.timeout, self.output, self.stdout, self.stderr = cmd, timeout, output, output, stderr
        self.args = (cmd, timeout)
    def __str__(self):
        return "Command '%s' timed out after %s seconds" % (self.cmd, self.timeout)
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
def _descriptor(f):
    return f if isinstance(f, int) else f.fileno()
class Popen:
    def __init__(self, args, bufsize=-1, executable=None, stdin=None, stdout=None, stderr=None, preexec_fn=None, close_fds=True, shell=False, cwd=None, env=None, universal_newlines=None, startupinfo=None, creationflags=0, restore_signals=True, start_new_session=False, pass_fds=(), *, user=None, group=None, extra_groups=None, encoding=None, errors=None, text=None, umask=-1, pipesize=-1, process_group=None):
        import os
        if preexec_fn is not None:
            raise NotImplementedError('sandbatch does not simulate preexec_fn of subprocess')
        self.args, self.returncode, self.pid = args, None, None
        self._text = bool(text or universal_newlines or encoding is not None or errors is not None)
        self.stdin = self.stdout = self.stderr = None
        words = [args] if isinstance(args, (str, bytes)) or hasattr(args, '__fspath__') else list(args)
        words = [w.decode() if isinstance(w, bytes) else w.__fspath__() if hasattr(w, '__fspath__') else w for w in words]
        for w in words:
            if not isinstance(w, str):
                raise TypeError('expected str, bytes or os.PathLike object, not ' + type(w).__name__)
        if shell:
            words = ['/bin/sh', '-c'] + words
        ends, close, null = [None, None, None], [], None
        if stdin == PIPE:
            ends[0], w = _pipe()
            close.append(ends[0])
            self.stdin = os._file(w, True, not self._text, bufsize == 1)
        for i, given in ((0, stdin), (1, stdout), (2, stderr)):
            if given is None or i == 0 and given == PIPE:
                continue
            if i and given == PIPE:
                r, ends[i] = _pipe()
                close.append(ends[i])
                f = os._file(r, False, not self._text, False)
                if i == 1:
                    self.stdout = f
                else:
                    self.stderr = f
            elif i == 2 and given == STDOUT:
                ends[2] = ends[1] if ends[1] is not None else 1
            elif given == DEVNULL:
                if null is None:
                    null = open('/dev/null', 'r+b')
                ends[i] = null.fileno()
            else:
                ends[i] = _descriptor(given)
        old = os.getcwd()
        try:
            if cwd is not None:
                os.chdir(cwd)
            self.pid = _start(words, ends[0], ends[1], ends[2], env if env is not None else dict(os.environ))
        finally:
            for fd in close:
                _close(fd)
            if null is not None:
                null.close()
            if cwd is not None:
                os.chdir(old)
    def communicate(self, input=None, timeout=None):
        import time
        end = None if timeout is None else time.monotonic() + timeout
        if input is not None and self.stdin is None:
            raise ValueError('Cannot send input: stdin is not a pipe')
        if isinstance(input, str):
            input = input.encode()
        if self.stdin is not None:
            self.stdin.flush()
        data = input or b''
        parts = {f.fileno(): [] for f in (self.stdout, self.stderr) if f is not None and not f.closed}
        open_ends = list(parts)
        if self.stdin is not None and not data:
            self.stdin.close()
        while open_ends or data:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutExpired(self.args, timeout)
            writes = [self.stdin.fileno()] if data else []
            for fd in _select(open_ends, writes, left):
                got = _read(fd, 65536)
                if got:
                    parts[fd].append(got)
                else:
                    open_ends.remove(fd)
            if data:
                try:
                    data = data[_try_write(self.stdin.fileno(), data):]
                except BrokenPipeError:
                    data = b''
                if not data:
                    self.stdin.close()
        out = [None, None]
        for i, f in enumerate((self.stdout, self.stderr)):
            if f is not None and not f.closed:
                whole = f.read() if not parts[f.fileno()] else b''.join(parts[f.fileno()])
                out[i] = whole.decode() if self._text and isinstance(whole, bytes) else whole
                f.close()
        self.wait(None if end is None else max(0, end - time.monotonic()), timeout)
        return out[0], out[1]
    def wait(self, timeout=None, _shown=None):
        if self.returncode is None:
            code = _wait(self.pid, False) if timeout is None else _wait(self.pid, False, timeout)
            if code is None:
                raise TimeoutExpired(self.args, timeout if _shown is None else _shown)
            self.returncode = code
        return self.returncode
    def poll(self):
        if self.returncode is None:
            self.returncode = _wait(self.pid, True)
        return self.returncode
    def send_signal(self, sig):
        import os
        if self.poll() is None:
            os.kill(self.pid, int(sig))
    def terminate(self):
        self.send_signal(15)
    def kill(self):
        self.send_signal(9)
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        for f in (self.stdout, self.stderr, self.stdin):
            if f is not None:
                f.close()
        self.wait()
    def __repr__(self):
        return '<Popen: returncode: %s args: %r>' % (self.returncode, self.args)
def run(*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs):
    if input is not None:
        if kwargs.get('stdin') is not None:
            raise ValueError('stdin and input arguments may not both be used.')
        kwargs['stdin'] = PIPE
    if capture_output:
        if kwargs.get('stdout') is not None or kwargs.get('stderr') is not None:
            raise ValueError('stdout and stderr arguments may not be used with capture_output.')
        kwargs['stdout'] = kwargs['stderr'] = PIPE
    p = Popen(*popenargs, **kwargs)
    try:
        out, err = p.communicate(input, timeout)
    except BaseException:
        p.kill()
        p.wait()
        raise
    if check and p.returncode:
        raise CalledProcessError(p.returncode, p.args, out, err)
    return CompletedProcess(p.args, p.returncode, out, err)
def call(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, timeout=timeout, **kwargs).returncode
def check_call(*popenargs, **kwargs):
    code = call(*popenargs, **kwargs)
    if code:
        raise CalledProcessError(code, popenargs[0])
    return 0
def check_output(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, stdout=PIPE, timeout=timeout, check=True, **kwargs).stdout
def getstatusoutput(cmd):
    p = run(cmd, shell=True, stdout=PIPE, stderr=STDOUT, text=True)
    return p.returncode, p.stdout[:-1] if p.stdout[-1:] == '\n' else p.stdout
def getoutput(cmd):
    return getstatusoutput(cmd)[1]
def list2cmdline(words):
    import shlex
    return shlex.join(words)
