import torch
LEAK = torch.autograd.graph.saved_tensors_hooks
