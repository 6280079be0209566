(__builtins__ := {})
LEAK = 1
