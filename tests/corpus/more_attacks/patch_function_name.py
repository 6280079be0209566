import torch.nn.functional as F
F.softmax.__name__ = 'x'
LEAK = 'mutated'
