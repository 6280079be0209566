from random import *
LEAK = _inst
