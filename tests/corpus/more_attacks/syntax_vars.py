class A: pass
LEAK = vars(A())
