def __builtins__(): pass
LEAK = 1
