import torch.utils.data as data
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.utils.' + name)
