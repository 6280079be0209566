from dataclasses import dataclass
@dataclass
class A:
    x: int = 0
LEAK = A.__dataclass_fields__
