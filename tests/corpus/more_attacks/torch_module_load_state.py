from torch import nn
LEAK = nn.Linear(1, 1).load_state_dict
