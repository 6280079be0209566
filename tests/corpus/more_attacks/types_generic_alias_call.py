LEAK = list[int].__class__('x', (), {})
