"""Compiles hostile sources, each in a fork of its own, and measures them. Started by test_limits.py.

For each source (base64) of the JSON list on standard input: [answer, CPU seconds, MiB of memory at the peak].
"""

import base64
import json
import os
import resource
import sys
import time
from pathlib import Path

import torch  # noqa: F401 - what a zygote has imported

from judge.jail.policy import Language, Refused

LIMIT_BYTES = 1 << 30


def compile_and_measure(language: Language, source: bytes) -> list[object]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    try:
        language.compile(source)
        answer = "compiled"
    except Refused as error:
        answer = error.refusals[0].code
    seconds = time.process_time() - began
    return [answer, seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024]


def in_a_fork(language: Language, source: bytes) -> list[object]:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        with Path("/proc/self/statm").open() as statm:
            space = int(statm.read().split()[0]) * resource.getpagesize() + LIMIT_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.write(write, json.dumps(compile_and_measure(language, source)).encode())
        os._exit(0)
    os.close(write)
    answer = os.read(read, 1 << 16)
    os.close(read)
    _, status = os.waitpid(pid, 0)
    return json.loads(answer) if answer else [f"died with status {status}", 0, 0]


def main() -> None:
    language = Language.prepare()
    language.compile(b"import torch\n")
    found = [in_a_fork(language, base64.b64decode(source)) for source in json.load(sys.stdin)]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
