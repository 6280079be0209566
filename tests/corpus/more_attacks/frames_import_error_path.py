try:
    from math import nowhere
except ImportError as e:
    LEAK = e.path
