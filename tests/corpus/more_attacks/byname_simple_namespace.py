from types import SimpleNamespace
LEAK = SimpleNamespace(**{'__array_interface__': {}})
