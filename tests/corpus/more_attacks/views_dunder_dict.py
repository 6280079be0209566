import torch
LEAK = torch.__dict__
