def d(f): return f
class A:
    @d
    @staticmethod
    def __del__(): pass
LEAK = A()
