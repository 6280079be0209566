import torch
torch.nn.functional.softmax = lambda x, dim: x
LEAK = 'mutated'
