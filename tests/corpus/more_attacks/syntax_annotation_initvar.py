from dataclasses import InitVar
def p(): pass
class A:
    x: InitVar[p.__globals__] = 1
LEAK = A
