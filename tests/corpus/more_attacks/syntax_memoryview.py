LEAK = memoryview(b'x')
