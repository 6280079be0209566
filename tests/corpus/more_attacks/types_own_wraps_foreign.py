import functools
import torch.nn.functional as F
@functools.wraps(F.softmax)
def f(): pass
LEAK = f.__wrapped__
