from torch.nn import *
LEAK = MultiheadAttention
