from typing import NamedTuple
LEAK = NamedTuple('A', [('_private', int)])
