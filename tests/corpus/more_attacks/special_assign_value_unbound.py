from torch import nn
class B:
    _buffers = {'__class__': 1}
class O:
    __call__ = nn.Module.get_buffer
    def get_submodule(self, path): return B
LEAK = O()('__class__')
