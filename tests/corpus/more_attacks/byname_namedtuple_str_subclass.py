from collections import namedtuple
class Name:
    def __str__(self): return '__class__'
LEAK = namedtuple('A', [Name()])
