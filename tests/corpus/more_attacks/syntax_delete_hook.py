del globals
LEAK = globals
