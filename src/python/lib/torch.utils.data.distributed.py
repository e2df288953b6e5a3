from torch.utils.data import DistributedSampler
