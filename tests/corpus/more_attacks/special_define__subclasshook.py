class A:
    def __subclasshook__(self, *args): return args
LEAK = A()
