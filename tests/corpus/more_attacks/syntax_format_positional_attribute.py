def f(): pass
LEAK = '{.__globals__}'.format(f)
