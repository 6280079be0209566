class A:
    def __sizeof__(self, *args): return args
LEAK = A()
