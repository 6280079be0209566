from dataclasses import dataclass
@dataclass
class A:
    x: int = 0
LEAK = A.__init__.__globals__
