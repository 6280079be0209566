import torch


def scaled_dot_product_attention(Q, K, V):
    match Q.shape, {"mode": "exp", "dims": (1, 2)}:
        case (*lead, _, d), {"mode": "log" | "exp" as mode, **rest} if d > 0:
            assert len(rest) == 1
        case _:
            raise ValueError("bad shapes")
    match mode:
        case "exp":
            w = (Q @ K.mT / d**0.5).softmax(-1)
        case None | True:
            w = None
    return w @ V
