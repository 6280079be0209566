def f(): pass
g = getattr('{0.__globals__}', 'format')
LEAK = g(f)
