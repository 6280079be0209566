import torch
LEAK = torch.Generator().set_state
