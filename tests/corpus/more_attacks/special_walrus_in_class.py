class A:
    [0 for x in [1] if (y := x)]
    (__getattr__ := lambda s, n: n)
LEAK = A()
