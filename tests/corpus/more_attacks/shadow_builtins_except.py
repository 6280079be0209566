try:
    1 / 0
except Exception as __builtins__:
    LEAK = 1
