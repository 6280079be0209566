class A:
    def __await__(self, *args): return args
LEAK = A()
