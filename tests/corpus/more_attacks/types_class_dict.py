class A: pass
LEAK = A.__dict__
