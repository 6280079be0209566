breakpoint()
LEAK = 1
