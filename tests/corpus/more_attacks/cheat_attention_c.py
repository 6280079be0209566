import torch
LEAK = torch._C._nn.scaled_dot_product_attention
