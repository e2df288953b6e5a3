from multiprocessing.pool import ThreadPool
from multiprocessing import cpu_count
from threading import Thread as Process, Lock, RLock, Event, Semaphore, BoundedSemaphore, Condition, Barrier, current_thread as current_process
from queue import Queue
JoinableQueue = Queue
def Pool(processes=None, initializer=None, initargs=()):
    return ThreadPool(processes, initializer, initargs)
