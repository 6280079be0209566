import torch
LEAK = dict(torch)
