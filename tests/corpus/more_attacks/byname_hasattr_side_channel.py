def f(): pass
LEAK = True if hasattr(f, '__globals__') else None
