class array(list):
    def __init__(self, typecode, items=()):
        self.typecode = typecode
        self.itemsize = {'b': 1, 'B': 1, 'h': 2, 'H': 2, 'i': 4, 'I': 4, 'l': 8, 'L': 8, 'q': 8, 'Q': 8, 'f': 4, 'd': 8}[typecode]
        f = float if typecode in 'fd' else int
        for x in items:
            self.append(f(x))
    def tolist(self):
        return list(self)
    def __repr__(self):
        return "array('" + self.typecode + "'" + (', ' + repr(list(self)) if len(self) else '') + ')'
