import math as _m
class LRScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer, self.last_epoch = optimizer, 0
        self.base = [g['lr'] for g in optimizer.param_groups]
        self.setup(*args, **kwargs)
    def step(self, *args):
        self.last_epoch += 1
        for g, base in zip(self.optimizer.param_groups, self.base):
            g['lr'] = self.rate(base, self.last_epoch)
    def get_last_lr(self):
        return [g['lr'] for g in self.optimizer.param_groups]
    def state_dict(self):
        return {'last_epoch': self.last_epoch}
    def load_state_dict(self, d):
        self.last_epoch = d['last_epoch']
class StepLR(LRScheduler):
    def setup(self, step_size, gamma=0.1):
        self.size, self.gamma = step_size, gamma
    def rate(self, base, n):
        return base * self.gamma ** (n // self.size)
class MultiStepLR(LRScheduler):
    def setup(self, milestones, gamma=0.1):
        self.milestones, self.gamma = milestones, gamma
    def rate(self, base, n):
        return base * self.gamma ** len([m for m in self.milestones if m <= n])
class ExponentialLR(LRScheduler):
    def setup(self, gamma):
        self.gamma = gamma
    def rate(self, base, n):
        return base * self.gamma ** n
class CosineAnnealingLR(LRScheduler):
    def setup(self, T_max, eta_min=0.0):
        self.t, self.low = T_max, eta_min
    def rate(self, base, n):
        return self.low + (base - self.low) * (1 + _m.cos(_m.pi * n / self.t)) / 2
class LambdaLR(LRScheduler):
    def setup(self, lr_lambda):
        self.f = lr_lambda
    def rate(self, base, n):
        return base * self.f(n)
class ReduceLROnPlateau(LRScheduler):
    def setup(self, mode='min', factor=0.1, patience=10, **kwargs):
        pass
    def step(self, metric=None):
        self.last_epoch += 1
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.optim.lr_scheduler.' + name)
