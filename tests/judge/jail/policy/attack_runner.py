"""Runs attacks on the policy, each in a fork of its own, and prints what they left. Started by test_attacks.py.

For each source of the JSON list on standard input: {"leak": repr or null, "changed": [...], "end": "how it ended"}.
"""

import json
import math
import os
import resource
import signal
import sys
import warnings
from pathlib import Path

import torch
from torch.nn import functional

from judge.jail.policy import Language, Refused, Sink

FORBID = [("@attention", "Write the attention yourself with matmul and softmax.")]


def fingerprint() -> dict[str, object]:
    """What a submission must not be able to change in its process."""
    return {
        "default dtype": str(torch.get_default_dtype()),
        "threads": torch.get_num_threads(),
        "torch": {name: id(value) for name, value in vars(torch).items()},
        "functional": {name: id(value) for name, value in vars(functional).items()},
        "nn": {name: id(value) for name, value in vars(torch.nn).items()},
        "Tensor": {name: id(value) for name, value in vars(torch.Tensor).items()},
        "Linear": {name: id(value) for name, value in vars(torch.nn.Linear).items()},
        "Module": {name: id(value) for name, value in vars(torch.nn.Module).items()},
        "math": {name: id(value) for name, value in vars(math).items()},
        "builtins": {name: id(value) for name, value in vars(__builtins__).items()},
        "files": sorted(path.name for path in Path().iterdir()),
    }


def attack(language: Language, source: str) -> dict[str, object]:
    before = fingerprint()
    namespace: dict[str, object] = {}
    try:
        compiled = language.compile(source.encode())
        namespace = language.namespace(Sink(1 << 16))
        exec(compiled.code, namespace)  # noqa: S102 - what the runner is for
        end = "ran"
    except Refused as error:
        end = f"refused: {error}"
    except BaseException as error:  # noqa: BLE001 - attacks raise anything
        end = f"{type(error).__name__}: {error}"
    after = fingerprint()
    leak = namespace.get("LEAK")
    return {
        "leak": None if leak is None else object.__repr__(leak),
        "changed": [key for key in before if before[key] != after[key]],
        "end": end,
    }


def in_a_fork(language: Language, source: str) -> dict[str, object]:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        signal.alarm(10)
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        found = attack(language, source)
        os.write(write, json.dumps(found).encode("utf-8", "backslashreplace"))
        os._exit(0)
    os.close(write)
    data = b""
    while part := os.read(read, 1 << 16):
        data += part
    os.close(read)
    _, status = os.waitpid(pid, 0)
    return json.loads(data) if data else {"leak": None, "changed": [], "end": f"died with status {status}"}


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    language = Language.prepare()
    language.restrict(FORBID, json.loads(sys.argv[1]))
    found = [in_a_fork(language, source) for source in json.load(sys.stdin)]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
