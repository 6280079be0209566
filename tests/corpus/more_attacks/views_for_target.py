import torch
for torch.softmax in [1]: pass
LEAK = 'mutated'
