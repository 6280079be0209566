def f(*, x=1): return x
f.__kwdefaults__ = {'x': 2}
LEAK = 'mutated'
