import torch
LEAK = torch.ops.aten.scaled_dot_product_attention
