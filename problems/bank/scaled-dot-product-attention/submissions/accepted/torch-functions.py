import torch


def scaled_dot_product_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """
    Returns the scaled dot-product attention output.
    """
    scores = torch.div(torch.matmul(Q, torch.transpose(K, -2, -1)), torch.sqrt(torch.tensor(float(K.size(-1)))))
    weights = torch.nn.functional.softmax(scores, -1)
    return torch.matmul(weights, V)
