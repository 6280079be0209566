from torch import multiprocessing as mp
LEAK = mp
