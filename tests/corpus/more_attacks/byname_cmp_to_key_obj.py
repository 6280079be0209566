import functools
K = functools.cmp_to_key(lambda a, b: 0)
LEAK = K(print).obj.__globals__
