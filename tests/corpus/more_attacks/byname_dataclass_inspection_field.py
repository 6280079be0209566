from dataclasses import astuple, dataclass
@dataclass
class E(Exception):
    with_traceback: int = 0
LEAK = astuple(E())
