from torch import nn
LEAK = nn.grad
