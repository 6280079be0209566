getattr.__doc__ = 'x'
LEAK = 'mutated'
