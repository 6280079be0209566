import typing
LEAK = typing.NamedTuple('A', [('x', int)])
