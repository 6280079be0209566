class A: pass
class B: pass
A.__bases__ = (B,)
LEAK = 'mutated'
