from typing import NamedTuple
class A(NamedTuple):
    __getattr__: object = lambda s, n: n
LEAK = A
