import torch
try:
    torch.nonexistent
except AttributeError as e:
    LEAK = e.obj
