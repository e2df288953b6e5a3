def getfqdn(name=''):
    return gethostname()
error = OSError
timeout = TimeoutError
def gethostbyname(name):
    return '127.0.0.1'
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate socket.' + name)
