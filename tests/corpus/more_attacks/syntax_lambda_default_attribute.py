def f(): pass
LEAK = (lambda g=f.__globals__: g)()
