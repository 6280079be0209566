def f(): pass
class A(x=f.__globals__): pass
LEAK = A
