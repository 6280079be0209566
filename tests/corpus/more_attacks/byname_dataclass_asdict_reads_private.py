from dataclasses import asdict, dataclass
from torch import nn
@dataclass(init=False, eq=False, repr=False)
class M(nn.Module):
    _modules: dict
    _forward_hooks: dict
    def __init__(self): super().__init__()
LEAK = asdict(M())
