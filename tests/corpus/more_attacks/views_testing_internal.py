import torch
LEAK = torch.testing._internal
