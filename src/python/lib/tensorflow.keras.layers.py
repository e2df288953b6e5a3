import numpy as _np
class Layer:
    count = 0
    def __init__(self, *args, input_shape=None, name=None, **kwargs):
        self.input_shape = input_shape
        self.setup(*args, **kwargs)
    def setup(self, *args, **kwargs):
        pass
    def build(self, shape):
        return shape
class Dense(Layer):
    def setup(self, units, activation=None, use_bias=True, **kwargs):
        self.units, self.bias = units, use_bias
    def build(self, shape):
        self.count = shape[-1] * self.units + (self.units if self.bias else 0)
        return tuple(shape[:-1]) + (self.units,)
class Conv2D(Layer):
    def setup(self, filters, kernel_size, strides=1, padding='valid', activation=None, **kwargs):
        self.f, self.k, self.p = filters, kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size), padding
        self.s = strides if isinstance(strides, tuple) else (strides, strides)
    def build(self, shape):
        h, w, c = shape
        self.count = self.f * (c * self.k[0] * self.k[1] + 1)
        if self.p == 'same':
            return (-(-h // self.s[0]), -(-w // self.s[1]), self.f)
        return ((h - self.k[0]) // self.s[0] + 1, (w - self.k[1]) // self.s[1] + 1, self.f)
class MaxPooling2D(Layer):
    def setup(self, pool_size=2, **kwargs):
        self.k = pool_size if isinstance(pool_size, tuple) else (pool_size, pool_size)
    def build(self, shape):
        return (shape[0] // self.k[0], shape[1] // self.k[1], shape[2])
class AveragePooling2D(MaxPooling2D): pass
class Flatten(Layer):
    def build(self, shape):
        n = 1
        for k in shape:
            n *= k
        return (n,)
class GlobalAveragePooling2D(Layer):
    def build(self, shape):
        return (shape[-1],)
class BatchNormalization(Layer):
    def build(self, shape):
        self.count = 4 * shape[-1]
        return shape
class Dropout(Layer): pass
class Activation(Layer): pass
class ReLU(Layer): pass
class Softmax(Layer): pass
class Input(Layer):
    def setup(self, shape=None, **kwargs):
        pass
class Rescaling(Layer): pass
class Embedding(Layer):
    def setup(self, n, d, **kwargs):
        self.n, self.d = n, d
    def build(self, shape):
        self.count = self.n * self.d
        return tuple(shape) + (self.d,)
class LSTM(Layer):
    def setup(self, units, return_sequences=False, **kwargs):
        self.u, self.seq = units, return_sequences
    def build(self, shape):
        self.count = 4 * self.u * (shape[-1] + self.u + 1)
        return (shape[0], self.u) if self.seq else (self.u,)
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate tensorflow.keras.layers.' + name)
