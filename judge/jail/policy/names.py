"""The name lists as values. Runs inside the jail, in the zygote, before any submission.

The lists are data (names/*.toml) so that an auditor reads names and not code. They were drawn up for one release of
torch and are never widened by a newer one: what is not listed does not exist for a submission.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Names:
    """Everything in names/*.toml. Module names are dotted; each maps to the names taken from it."""

    tested_torch: str
    allowed: dict[str, frozenset[str]]
    """torch and standard library: names taken from the real modules as they are."""
    left_out: dict[str, frozenset[str]]
    """Names that exist in torch's modules and are closed: these get "not available", all others are typos."""
    numpy: dict[str, frozenset[str]]
    array_left_out: frozenset[str]
    array_special: frozenset[str]
    array_scalars: frozenset[str]
    tensor_readable: frozenset[str]
    tensor_left_out: frozenset[str]
    tensor_writable: frozenset[str]
    module_left_out: frozenset[str]
    why_torch: dict[str, str]
    """Name in torch to the reason why it is closed."""
    why_tensor: dict[str, str]
    annotations: dict[str, frozenset[str]]
    """Names that only occur in annotations, by the list's name in stdlib.toml."""
    builtins: frozenset[str]
    refused_builtins: dict[str, str]
    special_methods: frozenset[str]
    special_readable: frozenset[str]
    """Special methods that may be read as attributes of data."""
    special_attributes: frozenset[str]
    function_writable: frozenset[str]
    """Special attributes that may be set on the submission's own functions."""
    special_variables: frozenset[str]
    special_assigned: frozenset[str]
    class_body: frozenset[str]
    inspection: frozenset[str]
    plain: frozenset[str]
    """Names that are read without a guard."""
    groups: dict[str, frozenset[str]]
    why_import: dict[str, str]
    """Top-level module to a sentence with {module} in it."""
    why_import_otherwise: str

    @classmethod
    def read(cls) -> Names:
        """Read the lists that ship beside this file."""
        torch, stdlib, language = read_table("torch"), read_table("stdlib"), read_table("language")
        numpy, imports = read_table("numpy"), read_table("imports")
        special_methods = _words(language["special_methods"])
        return cls(
            tested_torch=torch["tested"],
            allowed=_lists(torch["allowed"]) | _lists(stdlib["allowed"]),
            left_out=_lists(torch["left_out"]),
            numpy=_lists(numpy["allowed"]),
            array_left_out=_words(numpy["array"]["left_out"]),
            array_special=_words(numpy["array"]["special"]),
            array_scalars=_words(numpy["array"]["scalars"]),
            tensor_readable=_words(torch["tensor"]["readable"]),
            tensor_left_out=_words(torch["tensor"]["left_out"]),
            tensor_writable=_words(torch["tensor"]["writable"]),
            module_left_out=_words(torch["module"]["left_out"]),
            why_torch=_reasons(torch["reasons"], "torch"),
            why_tensor=_reasons(torch["reasons"], "tensor"),
            annotations=_lists(stdlib["typing"]),
            builtins=_words(language["builtins"]) | _words(language["exceptions"]),
            refused_builtins=language["refused_builtins"],
            special_methods=special_methods,
            special_readable=special_methods - _words(language["special_unreadable"]),
            special_attributes=_words(language["special_attributes"]),
            function_writable=_words(language["function_writable"]),
            special_variables=_words(language["special_variables"]),
            special_assigned=_words(language["special_assigned"]),
            class_body=_words(language["class_body"]),
            inspection=_words(language["inspection"]),
            plain=_words(language["plain"]),
            groups=_lists(read_table("groups")),
            why_import={"torch": imports["torch"]} | _reasons(imports["reasons"], "modules"),
            why_import_otherwise=imports["otherwise"].strip(),
        )

    def why_not_import(self, module: str) -> str:
        """The sentence for a module that cannot be imported."""
        top = module.partition(".")[0]
        return self.why_import.get(top, self.why_import_otherwise).replace("{module}", module)


def read_table(name: str) -> dict[str, Any]:
    """One of names/*.toml as it is."""
    return tomllib.loads(resources.files(__package__).joinpath("names", f"{name}.toml").read_text(encoding="utf-8"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lists(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {key: _words(text) for key, text in table.items()}


def _reasons(entries: list[dict[str, str]], key: str) -> dict[str, str]:
    return {name: entry["sentence"] for entry in entries for name in entry.get(key, "").split()}
