import torch.nn.utils as u
LEAK = u
