import torch
LEAK = torch.ones(1).numpy()
