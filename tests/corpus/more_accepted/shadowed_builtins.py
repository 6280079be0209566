import torch


def scaled_dot_product_attention(Q, K, V):
    input, id, vars, dir, type_ = Q, 1, {"k": K}, "x", None
    open = lambda x: x * id
    max = input.shape[-1]
    sum = open(input @ vars["k"].mT) / max**0.5
    list = [sum.softmax(-1), V]
    return list[0] @ list[1]
