class A:
    def f(self):
        nonlocal __class__
        __class__ = int
        return __class__
LEAK = A().f()
