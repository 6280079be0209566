def f(*, __builtins__=None): return 1
LEAK = f()
