def f(): pass
LEAK = '{0:{0.__code__}}'.format(f)
