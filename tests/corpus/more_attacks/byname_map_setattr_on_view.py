import math
list(map(setattr, [math], ['sqrt'], [None]))
LEAK = 'mutated'
