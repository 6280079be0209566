import torch
from torch import nn
LEAK = torch.func.functional_call(nn.Linear(1, 1), {'__class__': 1}, (torch.ones(1),))
