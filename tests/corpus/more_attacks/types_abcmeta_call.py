from abc import ABCMeta
class M(ABCMeta): pass
LEAK = M.__new__
