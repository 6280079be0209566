import torch
LEAK = torch.ones(1).__reduce_ex__(2)
