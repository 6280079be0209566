import random
LEAK = random.random.__self__
