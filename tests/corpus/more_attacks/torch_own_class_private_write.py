from torch import nn
class A(nn.Module): pass
A._call_impl = lambda self: 1
LEAK = 'mutated'
