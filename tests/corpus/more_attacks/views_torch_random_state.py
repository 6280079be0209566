import torch
LEAK = torch.random.get_rng_state()
