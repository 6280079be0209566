import torch
@torch.os.fsdecode
def f(): pass
LEAK = f
