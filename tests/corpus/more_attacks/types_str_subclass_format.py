class S(str): pass
def f(): pass
LEAK = S('{0.__globals__}').format(f)
