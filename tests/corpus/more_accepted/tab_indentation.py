import torch

def scaled_dot_product_attention(Q, K, V):
	s = Q @ K.mT
	if s.dim() > 1:
		s = s / K.shape[-1] ** 0.5
	return torch.softmax(s, -1) @ V
