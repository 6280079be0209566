import dataclasses
LEAK = dataclasses.sys
