import torch
import torch.optim as optim
from torch import nn
from torch.optim import Adam

torch.manual_seed(0)
probe = nn.Linear(2, 1, bias=False)
for _ in range(3):
    probe.zero_grad()
    loss = (probe(torch.ones(4, 2)) - 1).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for p in probe.parameters():
            p -= 0.1 * p.grad
print(f"loss {loss.item():.4f}")


def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.size(-1) ** 0.5, dim=-1) @ V
