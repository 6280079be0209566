from dataclasses import dataclass
class A: pass
class Same:
    x: int = 1
    def __hash__(self): return hash(A)
    def __eq__(self, other): return True
LEAK = dataclass(Same())
