class A:
    def f(self): return getattr(super(), '__reduce' + '_ex__')(2)
LEAK = A().f()
