LEAK = None
def p(): pass
def f(x: (LEAK := p.__globals__)) -> (LEAK := p.__code__): pass
f(1)
