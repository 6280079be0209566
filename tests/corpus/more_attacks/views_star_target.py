import torch
(*torch.stack,) = [1]
LEAK = 'mutated'
