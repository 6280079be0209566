import torch


class Registry:
    entries = {}
    count: int = 0
    __private = "p"

    @classmethod
    def register(cls, name):
        def decorate(fn):
            cls.entries[name] = fn
            cls.count += 1
            return fn

        return decorate

    @classmethod
    def get(cls, name):
        return cls.entries[name]

    @staticmethod
    def names():
        return sorted(Registry.entries)

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    def secret(self):
        return self.__private


@Registry.register("softmax")
def softmax(x):
    return torch.softmax(x, dim=-1)


def scaled_dot_product_attention(Q, K, V):
    r = Registry()
    r.size = 3
    setattr(r, "extra", 4)
    del r.extra
    assert r.size == 3 and not hasattr(r, "extra") and Registry.names() == ["softmax"] and Registry.count == 1
    assert r.secret() == "p" and getattr(r, "missing", None) is None
    return Registry.get("softmax")(Q @ K.mT / K.shape[-1] ** 0.5) @ V
