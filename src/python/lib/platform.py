import socket as _socket
def node():
    return _socket.gethostname()
def python_version():
    return '3.11.2'
def system():
    return 'Linux'
def machine():
    return 'x86_64'
def processor():
    return 'x86_64'
def release():
    return '6.1.0'
def platform():
    return 'Linux-6.1.0-x86_64-with-glibc2.36'
def python_implementation():
    return 'CPython'
