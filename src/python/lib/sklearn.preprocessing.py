import numpy as _np
class StandardScaler:
    def fit(self, x, y=None):
        x = _np.asarray(getattr(x, 'values', x)).astype(_np.float64)
        self.mean_, self.scale_ = x.mean(0), x.std(0)
        self.scale_[self.scale_ == 0] = 1.0
        return self
    def transform(self, x):
        return (_np.asarray(getattr(x, 'values', x)) - self.mean_) / self.scale_
    def fit_transform(self, x, y=None):
        return self.fit(x).transform(x)
    def inverse_transform(self, x):
        return x * self.scale_ + self.mean_
class MinMaxScaler(StandardScaler):
    def fit(self, x, y=None):
        x = _np.asarray(getattr(x, 'values', x)).astype(_np.float64)
        self.mean_ = x.min(0)
        self.scale_ = x.max(0) - self.mean_
        self.scale_[self.scale_ == 0] = 1.0
        return self
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate sklearn.preprocessing.' + name)
