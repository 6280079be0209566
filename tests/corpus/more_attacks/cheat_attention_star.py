from torch.nn.functional import *
LEAK = scaled_dot_product_attention
