import torch.nn.functional as F
try:
    LEAK = getattr(F, 'scaled_dot_product_attention')
except AttributeError:
    LEAK = None
