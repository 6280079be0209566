import collections
LEAK = collections._sys
