LEAK = type(int)
