class A:
    __slots__ = tuple(x for x in ['__torch_function__'])
LEAK = A()
