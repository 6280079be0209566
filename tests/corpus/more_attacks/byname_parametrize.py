from torch import nn
LEAK = nn.utils.parametrize.register_parametrization
