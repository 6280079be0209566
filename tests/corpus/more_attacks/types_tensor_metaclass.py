import torch
LEAK = torch.Tensor.__class__
