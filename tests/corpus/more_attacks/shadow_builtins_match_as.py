match 1:
    case int_ as __builtins__:
        LEAK = 1
