import torch
LEAK = torch.jit.load
