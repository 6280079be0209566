import copy
LEAK = copy.copyreg
