from tensorflow.keras import *
import tensorflow.keras as _k
layers = _k.layers
def __getattr__(name):
    return getattr(_k, name)
