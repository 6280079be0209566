class A:
    def __format__(self, *args): return args
LEAK = A()
