import torch as _torch
class Optimizer:
    def __init__(self, params, lr=0.001, **kwargs):
        params = list(params)
        if not params:
            raise ValueError('optimizer got an empty parameter list')
        groups = params if isinstance(params[0], dict) else [{'params': params}]
        self.param_groups = [dict({'lr': lr}, **g) for g in groups]
        for g in self.param_groups:
            g['params'] = list(g['params'])
        self.defaults = dict(kwargs, lr=lr)
        self.state = {}
    def zero_grad(self, set_to_none=True):
        pass
    def step(self, closure=None):
        loss = closure() if closure is not None else None
        _torch._Count.steps += 1
        n, d = 0, _torch.device('cpu')
        for g in self.param_groups:
            for p in g['params']:
                n += p._a.size
                d = p.device
        _torch._spend(d, 10 * n)
        return loss
    def state_dict(self):
        return {'lr': [g['lr'] for g in self.param_groups]}
    def load_state_dict(self, d):
        for g, lr in zip(self.param_groups, d['lr']):
            g['lr'] = lr
class SGD(Optimizer): pass
class Adam(Optimizer): pass
class AdamW(Optimizer): pass
class Adagrad(Optimizer): pass
class RMSprop(Optimizer): pass
class Adadelta(Optimizer): pass
import torch.optim.lr_scheduler as lr_scheduler
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.optim.' + name)
