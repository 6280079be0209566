class A:
    __slots__ = ('x',)
LEAK = A.x
