from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
class BrokenThreadPool(BrokenExecutor): pass
