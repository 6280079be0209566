class A:
    def __init_subclass__(self, *args): return args
LEAK = A()
