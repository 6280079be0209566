import torch
x = torch.ones(1)
x.__class__ = torch.nn.Parameter
LEAK = 'mutated'
