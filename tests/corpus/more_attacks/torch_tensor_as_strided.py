import torch
LEAK = torch.as_strided(torch.ones(1), (100,), (1,))
