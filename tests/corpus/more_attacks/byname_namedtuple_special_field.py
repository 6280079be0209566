from collections import namedtuple
LEAK = namedtuple('A', ['__array_interface__'])
