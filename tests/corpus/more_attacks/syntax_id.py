LEAK = id(1)
