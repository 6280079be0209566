def f(): pass
LEAK = staticmethod(f).__func__.__globals__
