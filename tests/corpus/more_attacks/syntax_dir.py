import torch
LEAK = dir(torch)
