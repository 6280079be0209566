from abc import ABC
class A(ABC): pass
LEAK = A.__class__
