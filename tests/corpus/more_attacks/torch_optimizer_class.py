import torch
class O(torch.optim.SGD): pass
LEAK = O
