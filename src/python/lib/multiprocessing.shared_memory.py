raise NotImplementedError('sandbatch does not simulate multiprocessing.shared_memory')
