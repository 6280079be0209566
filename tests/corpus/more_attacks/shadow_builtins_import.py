import math as __builtins__
LEAK = 1
