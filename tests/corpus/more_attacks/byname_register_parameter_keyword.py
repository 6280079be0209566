import torch
from torch import nn
m = nn.Module()
m.register_parameter(name='__array_interface__', param=nn.Parameter(torch.ones(1)))
LEAK = m
