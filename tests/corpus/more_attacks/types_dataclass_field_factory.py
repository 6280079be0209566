from dataclasses import dataclass, field, fields
@dataclass
class A:
    x: int = field(default_factory=list)
LEAK = fields(A)[0].metadata
