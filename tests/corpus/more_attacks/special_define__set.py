class A:
    def __set__(self, *args): return args
LEAK = A()
