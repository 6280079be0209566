import torch
LEAK = getattr(torch, 'closed_' + 'names')
