class A:
    global __getattr__
    def __getattr__(self, name): return name
LEAK = A()
