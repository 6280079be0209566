g = (x for x in [1])
LEAK = getattr(g, 'gi_' + 'frame')
