from torch import nn
class Box:
    _modules = {}
nn.Module.add_module(Box(), '__class__', nn.Identity())
LEAK = Box._modules
