import torch
LEAK = getattr(torch.ones(1), 'untyped_' + 'storage')()
