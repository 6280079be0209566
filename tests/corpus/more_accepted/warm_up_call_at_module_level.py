import torch

torch.manual_seed(0)


def scaled_dot_product_attention(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
) -> torch.Tensor:
    """Returns the scaled dot-product attention output."""
    d_k = K.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1)) / (d_k**0.5)
    weights = torch.softmax(scores, dim=-1)
    output = torch.matmul(weights, V)
    return output


# try it on the example
Q = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
K = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
V = torch.tensor([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
out = scaled_dot_product_attention(Q, K, V)
print(out)
print(out.shape)
for name, t in [("Q", Q), ("K", K)]:
    print(name, t.numel(), t.stride(), t.is_contiguous())
expected = torch.tensor([[6.1546, 3.8454], [3.8454, 6.1546], [5.0, 5.0]])
assert (out - expected).abs().max() < 1
