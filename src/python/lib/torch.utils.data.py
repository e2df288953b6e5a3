import torch, random as _random
import numpy as _np
class Dataset:
    def __getitem__(self, i):
        raise NotImplementedError
    def __add__(self, other):
        return ConcatDataset([self, other])
class IterableDataset(Dataset): pass
class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors
    def __getitem__(self, i):
        return tuple([t[i] for t in self.tensors])
    def __len__(self):
        return len(self.tensors[0])
class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, list(indices)
    def __getitem__(self, i):
        return self.dataset[self.indices[i]]
    def __len__(self):
        return len(self.indices)
class ConcatDataset(Dataset):
    def __init__(self, parts):
        self.parts = list(parts)
    def __len__(self):
        return sum([len(p) for p in self.parts])
    def __getitem__(self, i):
        for p in self.parts:
            if i < len(p):
                return p[i]
            i -= len(p)
        raise IndexError(i)
def random_split(dataset, lengths, generator=None):
    if all([isinstance(n, float) for n in lengths]):
        lengths = [int(n * len(dataset)) for n in lengths]
        lengths[0] += len(dataset) - sum(lengths)
    order = torch.randperm(len(dataset)).tolist()
    out, at = [], 0
    for n in lengths:
        out.append(Subset(dataset, order[at:at + n]))
        at += n
    return out
class Sampler: pass
class DistributedSampler(Sampler):
    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        import torch.distributed as dist
        self.n = num_replicas or dist.get_world_size()
        self.rank = dist.get_rank() if rank is None else rank
        self.dataset, self.epoch = dataset, 0
    def set_epoch(self, epoch):
        self.epoch = epoch
    def __iter__(self):
        return iter(range(self.rank, len(self.dataset), self.n))
    def __len__(self):
        return -(-len(self.dataset) // self.n)
def default_collate(items):
    first = items[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(items)
    if isinstance(first, (int, float)):
        return torch.tensor(items)
    if isinstance(first, _np.ndarray):
        return torch.tensor(_np.stack(items))
    if isinstance(first, (tuple, list)):
        return [default_collate([x[k] for x in items]) for k in range(len(first))]
    if isinstance(first, dict):
        return {k: default_collate([x[k] for x in items]) for k in first}
    return items
class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=False, sampler=None, num_workers=0, pin_memory=False, drop_last=False, collate_fn=None, persistent_workers=False, **kwargs):
        self.dataset, self.batch_size, self.shuffle, self.sampler, self.num_workers, self.drop_last = dataset, batch_size, shuffle, sampler, num_workers, drop_last
        self.collate_fn = collate_fn or default_collate
    def __len__(self):
        n = len(self.sampler) if self.sampler is not None else len(self.dataset)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
    def __iter__(self):
        d = self.dataset
        if hasattr(d, '_batch'):
            for i in range(len(self)):
                yield d._batch(min(self.batch_size, len(d) - i * self.batch_size))
            return
        if isinstance(d, TensorDataset) and self.sampler is None and not self.shuffle and self.collate_fn is default_collate:
            n = len(d)
            for i in range(len(self)):
                yield [t[i * self.batch_size:min(n, (i + 1) * self.batch_size)] for t in d.tensors]
            return
        order = list(self.sampler) if self.sampler is not None else torch.randperm(len(d)).tolist() if self.shuffle else range(len(d))
        batch = []
        for i in order:
            batch.append(d[i])
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)
import torch.utils.data.distributed as distributed
def __getattr__(name):
    raise NotImplementedError('sandbatch does not simulate torch.utils.data.' + name)
