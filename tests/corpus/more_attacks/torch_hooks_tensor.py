import torch
x = torch.ones(1, requires_grad=True)
LEAK = x.register_hook(lambda g: g)
