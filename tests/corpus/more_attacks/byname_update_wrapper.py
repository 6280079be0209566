import functools
def p(): pass
class Box: pass
LEAK = functools.update_wrapper(Box(), p, assigned=('__globals__',), updated=()).__globals__
