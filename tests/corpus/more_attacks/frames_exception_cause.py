try:
    raise ValueError from KeyError('x')
except ValueError as e:
    LEAK = e.__cause__
