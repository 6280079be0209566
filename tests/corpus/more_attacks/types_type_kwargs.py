LEAK = type('A', (), {}, x=1)
