import torch
del torch.nn.functional
LEAK = 'deleted'
