class A:
    def __instancecheck__(self, *args): return args
LEAK = A()
