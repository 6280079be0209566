import functools
def f(): pass
LEAK = functools.lru_cache(getattr)(f, '__code__')
