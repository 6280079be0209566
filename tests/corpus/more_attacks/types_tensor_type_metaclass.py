import torch
LEAK = torch.FloatTensor.__class__
