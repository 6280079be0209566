import torch
LEAK = torch.utils.data.dataloader.os
