import torch
LEAK = torch._native_multi_head_attention
