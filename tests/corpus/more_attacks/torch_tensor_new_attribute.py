import torch
x = torch.ones(1)
x.note = 1
LEAK = 'mutated'
