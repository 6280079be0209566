def f(**names): return names
LEAK = None
g = f(**{'$getattr': lambda o, n: o})
class A: pass
setattr(A, '$getattr', lambda o, n: LEAK)
def probe(): pass
class B(A):
    x = probe.__name__
    y = getattr(probe, '__globals__')
LEAK = B.y
