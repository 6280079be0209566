class S(str):
    pass
def f(): pass
LEAK = getattr(f, S('__globals__'))
