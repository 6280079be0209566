class A:
    def __set_name__(self, *args): return args
LEAK = A()
