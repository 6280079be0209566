import torch


class T:
    """A wrapper with operators."""

    def __init__(self, data):
        self.data_ = data

    def __matmul__(self, other):
        return T(self.data_ @ other.data_)

    def __truediv__(self, number):
        return T(self.data_ / number)

    def __rmul__(self, number):
        return T(number * self.data_)

    def __neg__(self):
        return -1 * self

    def __getitem__(self, key):
        return T(self.data_[key])

    def __setitem__(self, key, value):
        self.data_[key] = value

    def __len__(self):
        return len(self.data_)

    def __iter__(self):
        return iter(self.data_)

    def __contains__(self, value):
        return bool((self.data_ == value).any())

    def __eq__(self, other):
        return torch.equal(self.data_, other.data_)

    def __hash__(self):
        return hash(tuple(self.data_.shape))

    def __bool__(self):
        return True

    def __repr__(self):
        return f"T{tuple(self.data_.shape)}"

    @property
    def t(self):
        return T(self.data_.transpose(-2, -1))

    def softmax(self):
        return T(torch.softmax(self.data_, dim=-1))


def scaled_dot_product_attention(Q, K, V):
    q, k, v = map(T, (Q, K, V))
    out = -(-((q @ k.t) / K.shape[-1] ** 0.5).softmax()) @ v
    assert out == out and len(out) == len(Q) and {out: 1} and out[0] and repr(q).startswith("T(")
    return out.data_
