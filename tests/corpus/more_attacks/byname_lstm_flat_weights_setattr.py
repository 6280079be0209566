from torch import nn
class L(nn.GRU): pass
m = L(1, 1)
setattr(m, '_flat_' + 'weights_names', ['__class__'])
m.double()
LEAK = getattr(m, '_flat_' + 'weights')
