class __builtins__: pass
LEAK = 1
