class _Flags:
    enabled = True
    benchmark = deterministic = allow_tf32 = False
    def version(self):
        return 8902
    def is_available(self):
        return True
class _Mps:
    def is_available(self):
        return False
    is_built = is_available
class _Matmul:
    allow_tf32 = False
cudnn, mps, mkldnn, mkl = _Flags(), _Mps(), _Flags(), _Flags()
class _Cuda:
    matmul = _Matmul()
    def is_built(self):
        return True
cuda = _Cuda()
