import torch.overrides as o
LEAK = o.TorchFunctionMode
