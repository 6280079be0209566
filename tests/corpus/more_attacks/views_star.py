import torch
LEAK = [*torch]
