from torch import nn
class A(nn.Linear):
    def f(self): return super()._buffers
LEAK = A(1, 1).f()
