import typing
LEAK = typing.List.__class__
