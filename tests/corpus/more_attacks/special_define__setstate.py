class A:
    def __setstate__(self, *args): return args
LEAK = A()
