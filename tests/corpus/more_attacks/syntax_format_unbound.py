def f(): pass
LEAK = getattr(str, 'format')('{0.__globals__}', f)
