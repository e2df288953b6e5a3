import torch, torch.nn as _nn
relu, sigmoid, tanh, softmax = torch.relu, torch.sigmoid, torch.tanh, torch.softmax
gelu = leaky_relu = silu = torch.relu
def log_softmax(x, dim=-1):
    r = torch.softmax(x, dim).log()
    r._skill = x._skill
    return r
def dropout(x, p=0.5, training=True):
    return x
def max_pool2d(x, kernel_size, stride=None, padding=0):
    return _nn.MaxPool2d(kernel_size, stride, padding)(x)
def avg_pool2d(x, kernel_size, stride=None, padding=0):
    return _nn.AvgPool2d(kernel_size, stride, padding)(x)
def cross_entropy(x, y, **k):
    return _nn.CrossEntropyLoss()(x, y)
def nll_loss(x, y, **k):
    return _nn.NLLLoss()(x, y)
def mse_loss(x, y, **k):
    return _nn.MSELoss()(x, y)
def binary_cross_entropy_with_logits(x, y, **k):
    return _nn.BCEWithLogitsLoss()(x, y)
def one_hot(x, num_classes=-1):
    n = num_classes if num_classes > 0 else int(x.max()) + 1
    return torch.eye(n).long()[x]
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.nn.functional.' + name)
