from typing import NamedTuple
LEAK = NamedTuple.__mro_entries__(1)
