def f(): pass
LEAK = getattr(f, b'__globals__')
