import torch
LEAK = type(torch)
