class A: pass
setattr(A, '__getattr__', lambda self, name: name)
LEAK = A()
