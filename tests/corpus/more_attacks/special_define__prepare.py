class A:
    def __prepare__(self, *args): return args
LEAK = A()
