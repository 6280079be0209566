from torch import nn
m = nn.Linear(1, 1)
del m._parameters
LEAK = 'deleted'
