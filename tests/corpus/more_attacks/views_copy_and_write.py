import copy
import torch
t = copy.deepcopy(torch)
t.softmax = None
LEAK = t
