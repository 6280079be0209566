import torch
from torch.autograd import Variable


def softmax_by_gradient(s):
    """softmax is the gradient of logsumexp."""
    with torch.enable_grad():
        s = s.detach().clone().requires_grad_(True)
        total = torch.logsumexp(s, dim=-1).sum()
        (grad,) = torch.autograd.grad(total, s)
    return grad


def scaled_dot_product_attention(Q, K, V):
    Q = Variable(Q)
    return softmax_by_gradient(Q @ K.mT / K.size(-1) ** 0.5) @ V
