import dataclasses
LEAK = dataclasses.make_dataclass('A', [], namespace={'__array_interface__': {}})()
