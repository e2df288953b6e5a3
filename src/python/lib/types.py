def _f():
    yield
FunctionType = LambdaType = type(_f)
GeneratorType = type(_f())
BuiltinFunctionType = type(len)
ModuleType = type(__import__('abc'))
NoneType = type(None)
class _M:
    def m(self): pass
MethodType = type(_M().m)
class SimpleNamespace:
    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)
    def __repr__(self):
        return 'namespace(' + ', '.join([k + '=' + repr(v) for k, v in self.__dict__.items()]) + ')'
    def __eq__(self, o):
        return isinstance(o, SimpleNamespace) and self.__dict__ == o.__dict__
def MappingProxyType(d):
    return dict(d)
