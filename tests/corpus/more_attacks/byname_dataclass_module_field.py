from dataclasses import dataclass
from torch import nn
@dataclass(eq=False, repr=False)
class M(nn.Module):
    _forward_hooks: dict = None
m = M({1: print})
LEAK = m
