LEAK = __builtins__
