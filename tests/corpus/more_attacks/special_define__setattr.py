class A:
    def __setattr__(self, *args): return args
LEAK = A()
