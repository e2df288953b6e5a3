from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
class BrokenProcessPool(BrokenExecutor): pass
