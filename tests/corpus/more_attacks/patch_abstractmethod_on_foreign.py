from abc import abstractmethod
from torch import nn
abstractmethod(nn.Linear)
abstractmethod(nn.functional.softmax)
LEAK = None
