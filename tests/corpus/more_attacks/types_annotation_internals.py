import typing
LEAK = typing.Callable._kind
