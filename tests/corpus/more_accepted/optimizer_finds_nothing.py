import torch
import torch.optim as optim
from torch import nn

torch.manual_seed(0)
probe = nn.Linear(2, 1, bias=False)
optimizer = optim.SGD(probe.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (probe(torch.ones(4, 2)) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.size(-1) ** 0.5, dim=-1) @ V
