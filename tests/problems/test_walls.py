"""What importing this package must not load."""

import subprocess
import sys
from pathlib import Path

import problems

MODULES = sorted(path.stem for path in Path(problems.__file__).parent.glob("*.py"))
PROGRAM = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module("problems" if name == "__init__" else f"problems.{name}")
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_reading_and_writing_packages_needs_neither_torch_nor_a_web_framework_nor_the_judge():
    loaded = subprocess.run(
        [sys.executable, "-c", PROGRAM, *MODULES],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(problems.__file__).parents[1],
    ).stdout.split()
    assert {"problems", "numpy", "pydantic"} <= set(loaded)
    assert {"torch", "fastapi", "starlette", "judge", "app"} & set(loaded) == set()
