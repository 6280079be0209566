LEAK = __build_class__
