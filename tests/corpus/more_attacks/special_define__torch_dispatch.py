class A:
    def __torch_dispatch__(self, *args): return args
LEAK = A()
