import torch
LEAK = torch.missing_error('x')
