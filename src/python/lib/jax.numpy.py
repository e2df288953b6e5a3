from numpy import *
import numpy as _np
def __getattr__(name):
    return getattr(_np, name)
