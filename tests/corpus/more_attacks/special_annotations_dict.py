class A:
    x: int = 1
    __annotations__['y'] = 2
LEAK = A
