from torch import nn
nn.Linear.forward = lambda self, x: x
LEAK = 'mutated'
