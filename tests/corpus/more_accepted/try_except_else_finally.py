import torch


class ShapeMismatch(ValueError):
    """Raised when the inner sizes differ."""

    def __init__(self, left, right):
        super().__init__(f"{left} != {right}")
        self.left, self.right = left, right

    def __str__(self):
        return f"inner sizes {self.left} and {self.right} differ"


def check(q, k):
    if q.shape[-1] != k.shape[-1]:
        raise ShapeMismatch(q.shape[-1], k.shape[-1])


def scaled_dot_product_attention(Q, K, V):
    caught = []
    try:
        check(Q[..., :1], K[..., :0])
    except (ShapeMismatch, RuntimeError) as error:
        caught.append(str(error))
        assert error.left == 1 and error.args and isinstance(error, ValueError)
    else:
        caught.append("none")
    finally:
        caught.append("done")
    try:
        try:
            {}["missing"]
        except KeyError as error:
            raise RuntimeError("wrapped") from error
    except RuntimeError as error:
        assert repr(error) == "RuntimeError('wrapped')" and type(error) is RuntimeError
        caught.append(type(error).__name__)
    assert caught == ["inner sizes 1 and 0 differ", "done", "RuntimeError"]
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1) @ V
