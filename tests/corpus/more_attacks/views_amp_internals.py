import torch
LEAK = torch.amp.autocast_mode
