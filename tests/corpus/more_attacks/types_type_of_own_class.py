class A: pass
LEAK = type(A)
