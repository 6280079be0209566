class A: pass
LEAK = A.__module__
