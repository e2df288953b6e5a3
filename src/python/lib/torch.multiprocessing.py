def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.multiprocessing.' + name)
