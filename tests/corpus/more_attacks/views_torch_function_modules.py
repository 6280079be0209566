import torch.nn.functional as F
LEAK = F.importlib
