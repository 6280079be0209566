try:
    from torch.nn.functional import scaled_dot_product_attention
    LEAK = scaled_dot_product_attention
except ImportError:
    LEAK = None
