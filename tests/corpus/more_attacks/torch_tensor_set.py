import torch
LEAK = torch.ones(1).set_(torch.ones(9))
