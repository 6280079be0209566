class A:
    def __getnewargs__(self, *args): return args
LEAK = A()
