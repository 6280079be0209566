from torch import nn
class R:
    def __ror__(self, other):
        global LEAK
        LEAK = other
        return other
class M(nn.Module): pass
m = M()
m._parameters |= R()
