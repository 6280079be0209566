try:
    from torch import serialization as s
    LEAK = s
except ImportError:
    LEAK = None
