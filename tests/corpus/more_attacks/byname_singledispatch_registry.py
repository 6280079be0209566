import functools
@functools.singledispatch
def f(x): pass
LEAK = f.registry
