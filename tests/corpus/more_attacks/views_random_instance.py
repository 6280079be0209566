import random
LEAK = random._inst
