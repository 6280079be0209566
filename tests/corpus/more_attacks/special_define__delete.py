class A:
    def __delete__(self, *args): return args
LEAK = A()
