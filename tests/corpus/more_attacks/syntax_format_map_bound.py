def f(): pass
LEAK = '{f.__globals__}'.format_map({'f': f})
