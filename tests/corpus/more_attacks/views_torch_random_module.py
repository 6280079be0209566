import torch
LEAK = torch.random.contextlib
