from torch import nn
class B:
    _buffers = {'__dict__': 1}
class O(nn.Module):
    def get_submodule(self, path): return B()
LEAK = O().get_buffer('__dict__')
