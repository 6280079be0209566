try:
    1 / 0
except ZeroDivisionError as e:
    LEAK = getattr(e, '__trace' + 'back__')
