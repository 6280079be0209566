from torch import nn
LEAK = nn.Module.register_full_backward_hook
