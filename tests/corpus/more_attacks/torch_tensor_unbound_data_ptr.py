import torch
LEAK = torch.Tensor.data_ptr(torch.ones(1))
