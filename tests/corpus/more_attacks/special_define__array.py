class A:
    def __array__(self, *args): return args
LEAK = A()
