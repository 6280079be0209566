import torch
LEAK = torch.autograd.profiler.profile
