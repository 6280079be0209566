import torch


def scaled_dot_product_attention(*tensors, **options):
    if (count := len(tensors)) != 3:
        raise TypeError(f"expected 3 tensors, got {count}")
    Q, *rest = tensors
    K, V = rest
    *batch, n, d = Q.shape
    first, second, *_ = [*batch, n, d, *(0, 0)]
    merged = {**options, "scale": d**-0.5}
    while (i := merged.get("i", 0)) < 1:
        merged |= {"i": i + 1}
    return torch.softmax((s := Q @ K.mT) * merged["scale"], dim=-1) @ V + 0 * s.sum() * (first - first)
