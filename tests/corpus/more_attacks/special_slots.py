class A:
    __slots__ = ('__dict__', '__array_interface__')
LEAK = A()
