import contextlib
LEAK = contextlib.os
