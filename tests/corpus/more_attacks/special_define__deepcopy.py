class A:
    def __deepcopy__(self, *args): return args
LEAK = A()
