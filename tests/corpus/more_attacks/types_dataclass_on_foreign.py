from dataclasses import dataclass
from torch import nn
dataclass(nn.Linear)
LEAK = 'mutated'
