import torch
class A(torch): pass
LEAK = A
