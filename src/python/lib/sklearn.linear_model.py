import numpy as _np
def _matrix(x):
    x = _np.asarray(getattr(x, 'values', x)).astype(_np.float64)
    if x.ndim != 2:
        raise ValueError('Expected 2D array, got 1D array instead:\narray=%s.\nReshape your data either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single sample.' % (x,))
    return x
class LinearRegression:
    _ridge = 0.0
    def __init__(self, fit_intercept=True, **kwargs):
        self.fit_intercept = fit_intercept
    def fit(self, x, y):
        x, y = _matrix(x), _np.asarray(getattr(y, 'values', y)).astype(_np.float64)
        mx, my = (x.mean(0), y.mean()) if self.fit_intercept else (_np.zeros(x.shape[1]), 0.0)
        a, b = x - mx, y - my
        self.coef_ = _np.linalg.solve(a.T @ a + self._ridge * _np.eye(x.shape[1]), a.T @ b)
        self.intercept_ = my - _np.dot(mx, self.coef_)
        return self
    def predict(self, x):
        return _matrix(x) @ self.coef_ + self.intercept_
    def score(self, x, y):
        from sklearn.metrics import r2_score
        return r2_score(y, self.predict(x))
class Ridge(LinearRegression):
    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self._ridge = alpha
class LogisticRegression:
    def __init__(self, C=1.0, max_iter=100, **kwargs):
        self.C, self.max_iter = C, max_iter
    def fit(self, x, y):
        import _host
        # Gradient descent instead of L-BFGS: the numbers are a model's.
        _host.model()
        x, y = _matrix(x), _np.asarray(getattr(y, 'values', y))
        self.classes_ = _np.unique(y)
        if len(self.classes_) != 2:
            raise NotImplementedError('sandbatch does not simulate LogisticRegression of more than two classes')
        t = (y == self.classes_[1]).astype(_np.float64)
        self._mean, self._scale = x.mean(0), x.std(0) + 1e-12
        z = (x - self._mean) / self._scale
        w, b = _np.zeros(x.shape[1]), 0.0
        for _ in range(self.max_iter):
            p = _np._unary('sigmoid', z @ w + b)
            g = z.T @ (p - t) / len(t) + w / (self.C * len(t))
            w, b = w - g, b - (p - t).mean()
        self._w, self._b = w, b
        self.coef_ = (w / self._scale).reshape(1, -1)
        self.intercept_ = _np.array([b - _np.dot(self._mean / self._scale, w)])
        return self
    def predict_proba(self, x):
        p = _np._unary('sigmoid', (_matrix(x) - self._mean) / self._scale @ self._w + self._b)
        return _np.stack([1 - p, p], 1)
    def predict(self, x):
        return _np.where(self.predict_proba(x)[:, 1] > 0.5, self.classes_[1], self.classes_[0])
    def score(self, x, y):
        from sklearn.metrics import accuracy_score
        return accuracy_score(y, self.predict(x))
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate sklearn.linear_model.' + name)
