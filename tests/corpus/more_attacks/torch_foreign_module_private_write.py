from torch import nn
m = nn.Linear(1, 1)
m._forward_hooks = {1: print}
LEAK = 'mutated'
