from torch import nn
d = nn.ModuleDict()
d['__len__'] = nn.Identity()
LEAK = d
