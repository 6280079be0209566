class A:
    from torch.nn.functional import scaled_dot_product_attention as f
LEAK = A.f
