def f(): pass
LEAK = f"{1:{f.__code__.co_argcount}}"
