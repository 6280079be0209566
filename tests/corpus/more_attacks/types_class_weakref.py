class A: pass
LEAK = A.__weakref__
