import torch


def as_tensor(x):
    if type(x) is torch.Tensor or isinstance(x, (torch.Tensor, torch.nn.Parameter)):
        return x
    if type(x) in (list, tuple):
        return torch.tensor(x)
    raise TypeError(f"expected a tensor, got {type(x).__name__}")


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = map(as_tensor, (Q, K, V))
    try:
        as_tensor("text")
    except TypeError as e:
        assert str(e) == "expected a tensor, got str" and e.__class__.__name__ == "TypeError"
    assert Q.__class__ is torch.Tensor and (1).__class__ is int and callable(as_tensor)
    assert isinstance(as_tensor.__name__, str) and as_tensor.__doc__ is None
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V
