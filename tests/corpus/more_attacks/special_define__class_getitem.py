class A:
    def __class_getitem__(self, *args): return args
LEAK = A()
