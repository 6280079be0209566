# wrong_answer/softmax-over-queries

def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = (s - s.amax(dim=-2, keepdim=True)).exp()
    return (e / e.sum(dim=-2, keepdim=True)) @ V
