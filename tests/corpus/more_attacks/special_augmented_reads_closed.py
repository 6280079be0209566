from torch import nn
class R:
    def __radd__(self, other):
        global LEAK
        LEAK = other
        return other
class M(nn.Module): pass
m = M()
m.register_forward_hook += R()
