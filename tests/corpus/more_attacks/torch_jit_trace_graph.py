import torch
f = torch.jit.trace(lambda x: x, torch.ones(1))
LEAK = f.graph
