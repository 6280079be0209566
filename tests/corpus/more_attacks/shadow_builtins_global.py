def f():
    global __builtins__
    __builtins__ = {}
f()
LEAK = 1
