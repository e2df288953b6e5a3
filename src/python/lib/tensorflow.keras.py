import _host, math as _m, sys as _sys
import numpy as _np
import tensorflow.keras.layers as layers
_r = _np.random.RandomState(0)
class History:
    def __init__(self):
        self.history, self.epoch = {}, []
class Sequential:
    def __init__(self, layers=(), name='sequential'):
        self.layers, self.name, self._steps, self._size = [], name, 0, None
        for l in layers:
            self.add(l)
    def add(self, layer):
        self.layers.append(layer)
    def _build(self, shape):
        n = 0
        for l in self.layers:
            shape = l.build(shape)
            n += l.count
        self._size, self._out = n, shape
    def compile(self, optimizer='rmsprop', loss=None, metrics=(), **kwargs):
        self.loss, self.metrics = loss, list(metrics or ())
    def count_params(self):
        if self._size is None:
            raise ValueError('You tried to call `count_params` on sequential, but the layer isn\'t built.')
        return self._size
    def _work(self, rows, factor):
        flops = 2.0 * self._size * rows * factor
        if _host.gpus():
            _host.gpu_memory(0, 600 + 16 * self._size // 1048576)
            _host.gpu_work(int(flops / 1e13 * 1e6) + 300)
        else:
            _host.work(int(flops / 2e10 * 1e6) + 100, True)
    def fit(self, x, y=None, batch_size=32, epochs=1, verbose='auto', validation_data=None, validation_split=0.0, callbacks=None, **kwargs):
        if not hasattr(self, 'loss'):
            raise RuntimeError('You must compile your model before training/testing. Use `model.compile(optimizer, loss)`.')
        n = len(x)
        if self._size is None:
            self._build(_np.asarray(x).shape[1:])
        n -= int(n * validation_split)
        batches = -(-n // batch_size)
        h = History()
        accurate = any(['acc' in str(m) for m in self.metrics])
        for e in range(epochs):
            for _ in range(batches):
                self._work(batch_size, 3)
                self._steps += 1
            skill = 1 - _m.exp(-self._steps / 400.0)
            values = {'loss': (2.3 if 'cross' in str(self.loss) else 1.0) * (0.04 + 0.96 * (1 - skill)) * (1 + 0.04 * (_r.rand() - 0.5))}
            if accurate:
                values['accuracy'] = min(1.0, 0.1 + 0.86 * skill)
            if validation_data is not None or validation_split:
                values.update({'val_' + k: v * (1.05 if 'loss' in k else 0.98) for k, v in list(values.items())})
            for k, v in values.items():
                h.history.setdefault(k, []).append(v)
            h.epoch.append(e)
            if verbose in ('auto', 1, 2):
                _sys.stdout.write('Epoch %d/%d\n%d/%d - %s\n' % (e + 1, epochs, batches, batches, ' - '.join(['%s: %.4f' % p for p in values.items()])))
        return h
    def evaluate(self, x, y=None, verbose='auto', **kwargs):
        self._work(len(x), 1)
        skill = 1 - _m.exp(-self._steps / 400.0)
        loss = (2.3 if 'cross' in str(getattr(self, 'loss', '')) else 1.0) * (0.05 + 0.95 * (1 - skill))
        return [loss, min(1.0, 0.1 + 0.85 * skill)] if self.metrics else loss
    def predict(self, x, verbose='auto', **kwargs):
        if self._size is None:
            self._build(_np.asarray(x).shape[1:])
        self._work(len(x), 1)
        return _r.rand(*((len(x),) + tuple(self._out))).astype(_np.float32)
    def summary(self):
        raise NotImplementedError('sandbatch does not simulate keras.Model.summary')
    def save(self, name, **kwargs):
        with open(name, 'w') as f:
            f.write('keras model of sandbatch: %s parameters, %d steps\n' % (self._size, self._steps))
    save_weights = save
class _Kinds:
    def __init__(self, what):
        self._what = what
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        what = self._what
        class Made:
            def __init__(self, *args, **kwargs):
                self.args = args
            def __str__(self):
                return name.lower().replace('crossentropy', '_crossentropy')
        return Made
optimizers, losses, metrics, callbacks = _Kinds('optimizers'), _Kinds('losses'), _Kinds('metrics'), _Kinds('callbacks')
class _Models:
    Sequential = Sequential
models = _Models()
class _Utils:
    def to_categorical(self, y, num_classes=None):
        y = _np.asarray(y).astype(_np.int64)
        return _np.eye(num_classes or int(y.max()) + 1)[y]
utils = _Utils()
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate tensorflow.keras.' + name)
