try:
    import os
    LEAK = os
except ImportError:
    LEAK = None
