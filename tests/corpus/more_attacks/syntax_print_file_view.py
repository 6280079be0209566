import torch
print('x', file=torch)
LEAK = 'printed'
