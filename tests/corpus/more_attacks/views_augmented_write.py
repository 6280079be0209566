import math
math.pi += 1
LEAK = 'mutated'
