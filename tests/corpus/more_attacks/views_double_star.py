import torch
LEAK = {**torch}
