import functools
import torch.nn.functional as F
LEAK = functools.reduce(getattr, ['scaled_dot_product_attention'], F)
