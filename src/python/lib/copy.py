def copy(x):
    if isinstance(x, list): return x[:]
    if isinstance(x, dict): return x.copy()
    if isinstance(x, set): return x.copy()
    if not hasattr(x, '__dict__') or isinstance(x, (int, float, str, tuple)): return x
    y = object.__new__(type(x))
    for k, v in x.__dict__.items():
        setattr(y, k, v)
    return y
def deepcopy(x, memo=None):
    if memo is None: memo = {}
    if id(x) in memo: return memo[id(x)]
    if isinstance(x, (int, float, str, bool)) or x is None or callable(x): return x
    if isinstance(x, list):
        y = memo[id(x)] = []
        for v in x: y.append(deepcopy(v, memo))
        return y
    if isinstance(x, tuple): return tuple([deepcopy(v, memo) for v in x])
    if isinstance(x, set): return {deepcopy(v, memo) for v in x}
    if isinstance(x, dict):
        y = memo[id(x)] = {}
        for k, v in x.items(): y[deepcopy(k, memo)] = deepcopy(v, memo)
        return y
    y = memo[id(x)] = object.__new__(type(x))
    for k, v in x.__dict__.items():
        setattr(y, k, deepcopy(v, memo))
    return y
