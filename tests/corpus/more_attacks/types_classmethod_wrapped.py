def f(): pass
LEAK = classmethod(f).__wrapped__
