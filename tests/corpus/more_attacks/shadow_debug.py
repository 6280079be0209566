LEAK = __debug__
