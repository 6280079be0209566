def f(): pass
LEAK = f.__ｇlobals__
