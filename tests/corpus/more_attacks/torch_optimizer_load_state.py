import torch
p = torch.nn.Parameter(torch.ones(1))
LEAK = torch.optim.SGD([p], lr=1).load_state_dict
