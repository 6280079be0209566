import torch
x = torch.ones(1, requires_grad=True)
LEAK = getattr(x * 2, 'grad_' + 'fn')
