class A: pass
LEAK = A().__reduce_ex__(2)
