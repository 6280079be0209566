def f(): pass
LEAK = [1 for x in [f] if x.__globals__]
