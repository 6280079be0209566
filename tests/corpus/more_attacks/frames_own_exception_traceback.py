class E(Exception): pass
try:
    raise E
except E as e:
    LEAK = e.__traceback__
