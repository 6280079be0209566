match {'a': 1}:
    case {**__builtins__}:
        LEAK = 1
