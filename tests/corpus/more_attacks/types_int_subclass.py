class I(int): pass
LEAK = I
