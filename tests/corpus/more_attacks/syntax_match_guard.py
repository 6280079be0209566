def f(): pass
match 1:
    case x if f.__globals__:
        LEAK = f
