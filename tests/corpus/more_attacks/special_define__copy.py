class A:
    def __copy__(self, *args): return args
LEAK = A()
