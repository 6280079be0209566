LEAK = None
def p(): pass
class A:
    x: (LEAK := p.__globals__) = 1
