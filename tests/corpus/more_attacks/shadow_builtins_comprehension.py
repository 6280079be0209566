LEAK = [1 for __builtins__ in [1]]
