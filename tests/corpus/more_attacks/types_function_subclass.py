def f(): pass
class F(f.__class__): pass
LEAK = F
