def f(): pass
LEAK = f.__module__
