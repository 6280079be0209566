class A:
    def f(self): pass
LEAK = A().f.__func__
