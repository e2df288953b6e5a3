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
def format_exception_only(e, value=None):
    e = value if value is not None else e
    return _traceback(e).splitlines(True)[-1:]
def format_tb(tb, limit=None):
    return []
def print_tb(tb, limit=None, file=None):
    pass
def print_stack(f=None, limit=None, file=None):
    pass
def extract_tb(tb, limit=None):
    return []
