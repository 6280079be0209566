def f():
    import importlib
    return importlib
LEAK = f()
