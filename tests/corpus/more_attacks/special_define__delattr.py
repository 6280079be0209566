class A:
    def __delattr__(self, *args): return args
LEAK = A()
