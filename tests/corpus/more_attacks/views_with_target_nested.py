import contextlib
import torch
with contextlib.nullcontext(3) as torch.nn.Linear: pass
LEAK = 'mutated'
