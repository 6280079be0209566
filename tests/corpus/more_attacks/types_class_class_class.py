LEAK = (1).__class__.__class__
