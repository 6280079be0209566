import __future__
LEAK = __future__.annotations.compiler_flag
