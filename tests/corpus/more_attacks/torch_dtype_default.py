import torch
getattr(torch, 'set_default_' + 'dtype')(torch.float64)
LEAK = 'mutated'
