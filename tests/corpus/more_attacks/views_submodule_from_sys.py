from torch import _C
LEAK = _C
