import torch.nn.functional as F
LEAK = getattr(F, 'scaled_dot_product_attention', None)
