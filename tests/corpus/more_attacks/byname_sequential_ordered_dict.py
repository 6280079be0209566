from collections import OrderedDict
from torch import nn
LEAK = nn.Sequential(OrderedDict([('__torch_function__', nn.Identity())]))
