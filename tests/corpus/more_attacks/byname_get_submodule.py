from torch import nn
LEAK = nn.Linear(1, 1).get_submodule('__class__.__mro__')
