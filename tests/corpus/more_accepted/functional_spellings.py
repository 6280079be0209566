import torch as th
import torch.nn
import torch.nn.functional
import torch.nn.functional as F
from torch import Tensor, einsum, nn
from torch.nn import Module, functional
from torch.nn.functional import log_softmax, softmax as sm


def scaled_dot_product_attention(Q, K, V):
    s = th.matmul(Q, K.mT) / K.shape[-1] ** 0.5
    a = F.softmax(s, dim=-1)
    b = functional.softmax(s, dim=-1)
    c = torch.nn.functional.softmax(s, -1)
    d = nn.functional.softmax(s, dim=-1, dtype=th.float32)
    e = log_softmax(s, -1).exp()
    f = sm(s, dim=-1)
    g = F.softmin(-s, dim=-1)
    assert isinstance(Q, Tensor) and all(th.allclose(a, x, atol=1e-6) for x in (b, c, d, e, f, g))
    assert issubclass(nn.Linear, Module) and callable(einsum)
    return a @ V
