import torch
torch.backends.cudnn.benchmark = torch
torch.backends.cudnn.benchmark += 1
LEAK = 'mutated'
