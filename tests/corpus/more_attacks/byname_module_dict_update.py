from torch import nn
d = nn.ModuleDict()
d.update({'__torch_function__': nn.Identity()})
LEAK = d
