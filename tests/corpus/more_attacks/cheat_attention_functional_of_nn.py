from torch.nn import functional
LEAK = functional.scaled_dot_product_attention
