import torch
match 1:
    case torch.os.name:
        LEAK = 1
    case _:
        LEAK = None
        torch.os
