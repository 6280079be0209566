class A:
    def __dir__(self, *args): return args
LEAK = A()
