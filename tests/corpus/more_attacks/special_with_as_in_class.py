import contextlib
class A:
    with contextlib.nullcontext(lambda s, n: n) as __getattr__: pass
LEAK = A()
