class A: pass
class B(A):
    def f(self): return super().__dict__
LEAK = B().f()
