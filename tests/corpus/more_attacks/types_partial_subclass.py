import functools
class P(functools.partial): pass
LEAK = P
