def filterwarnings(*args, **kwargs):
    pass
simplefilter = filterwarnings
def warn(message, category=UserWarning, stacklevel=1):
    import sys
    sys.stderr.write('%s: %s\n' % (category.__name__, message))
