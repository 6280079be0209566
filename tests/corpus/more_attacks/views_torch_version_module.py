import torch
LEAK = torch.version
