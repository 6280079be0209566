from torch import dotted_path
LEAK = dotted_path
