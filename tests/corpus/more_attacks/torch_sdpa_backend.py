from torch.nn.attention import sdpa_kernel
LEAK = sdpa_kernel
