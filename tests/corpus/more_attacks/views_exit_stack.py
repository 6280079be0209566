import contextlib
LEAK = contextlib.ExitStack()
