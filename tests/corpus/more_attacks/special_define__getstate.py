class A:
    def __getstate__(self, *args): return args
LEAK = A()
