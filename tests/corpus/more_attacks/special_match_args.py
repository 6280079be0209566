class A:
    __match_args__ = ('x',)
LEAK = A
