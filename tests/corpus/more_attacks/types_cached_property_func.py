import functools
class A:
    @functools.cached_property
    def p(self): return 1
LEAK = A.p.func
