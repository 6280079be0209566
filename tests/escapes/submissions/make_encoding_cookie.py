# verdict: compile_error/syntax_error | compile_error/missing_function | compile_error/forbidden_construct
# why: A declared encoding does not smuggle other code past the reader.
# layers: outside
import sys


def source() -> bytes:
    """import os, written in UTF-7."""
    return b"# coding: utf-7\n+AGkAbQBwAG8AcgB0ACAAbwBz-\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
