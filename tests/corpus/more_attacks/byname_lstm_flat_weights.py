from torch import nn
class L(nn.LSTM): pass
m = L(1, 1)
m._flat_weights_names = ['__dict__']
m.float()
LEAK = m._flat_weights
