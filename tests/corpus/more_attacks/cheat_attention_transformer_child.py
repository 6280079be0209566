from torch import nn
LEAK = nn.TransformerEncoder(nn.Identity(), 1).layers
