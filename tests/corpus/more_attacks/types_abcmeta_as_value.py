from abc import ABCMeta
LEAK = ABCMeta('T', (), {'__getattr__': lambda s, n: n})
