def print_exc(file=None):
    import sys
    (file or sys.stderr).write(_traceback(None))
def format_exc():
    return _traceback(None)
def print_exception(e, *args, file=None):
    import sys
    (file or sys.stderr).write(_traceback(args[0] if args else e))
def format_exception(e, *args):
    return _traceback(args[0] if args else e).splitlines(True)
