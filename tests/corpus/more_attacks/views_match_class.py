import torch
match torch:
    case object(__dict__=d):
        LEAK = d
