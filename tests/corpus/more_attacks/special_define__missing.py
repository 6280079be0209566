class A:
    def __missing__(self, *args): return args
LEAK = A()
