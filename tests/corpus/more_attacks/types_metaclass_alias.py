from abc import ABCMeta as Meta
class A(metaclass=Meta): pass
LEAK = A
