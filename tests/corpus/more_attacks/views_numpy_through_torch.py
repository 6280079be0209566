import torch
f = torch.from_numpy
LEAK = f(1)
