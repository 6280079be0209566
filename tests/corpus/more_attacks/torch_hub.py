import torch
LEAK = torch.hub.load
