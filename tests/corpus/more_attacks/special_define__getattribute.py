class A:
    def __getattribute__(self, *args): return args
LEAK = A()
