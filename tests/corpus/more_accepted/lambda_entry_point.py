import torch

softmax = lambda x, dim=-1: (e := (x - x.amax(dim, keepdim=True)).exp()) / e.sum(dim, keepdim=True)
scaled_dot_product_attention = lambda Q, K, V: softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5) @ V
