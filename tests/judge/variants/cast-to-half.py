# wrong_answer/half-precision
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    q, k, v = (x.to(torch.float16) for x in (Q, K, V))
    w = F.softmax(torch.matmul(q, k.mT) / math.sqrt(q.size(-1)), dim=-1)
    return torch.matmul(w, v).to(torch.float32)
