import torch.nn.modules as m
LEAK = m.Transformer
