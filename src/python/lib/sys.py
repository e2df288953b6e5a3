argv = _argv()
path = _path()
executable = _program()
stdin, stdout, stderr = _stream(0), _stream(1), _stream(2)
__stdin__, __stdout__, __stderr__ = stdin, stdout, stderr
version = '3.11.2 (main, Mar 13 2023, 12:18:29) [GCC 12.2.0]'
class _Version(tuple):
    major = property(lambda self: self[0])
    minor = property(lambda self: self[1])
    micro = property(lambda self: self[2])
    def __repr__(self):
        return "sys.version_info(major=3, minor=11, micro=2, releaselevel='final', serial=0)"
version_info = _Version((3, 11, 2, 'final', 0))
hexversion = 0x030b02f0
platform = 'linux'
maxsize = 9223372036854775807
byteorder = 'little'
prefix = exec_prefix = '/usr'
modules = {}
flags = ()
float_info = None
def exit(code=None):
    raise SystemExit(code)
def getrecursionlimit():
    return 1000
def setrecursionlimit(n):
    pass
def getdefaultencoding():
    return 'utf-8'
def getrefcount(x):
    return 2
