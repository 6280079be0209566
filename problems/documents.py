"""YAML text into plain values, strictly. Trusted side; the text may come from anybody.

Only what the format needs: mappings, lists, text, numbers, true/false. Anchors, aliases and tags are refused (an alias
bomb grows without them noticing), so are a key that is given twice and deep nesting.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from problems.errors import PackageError

MAX_DEPTH = 16

_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's where PyYAML was built with it (every wheel is): ten times faster, the same values."""


def parse_yaml(text: str, *, where: str) -> object:
    """The document as plain values; PackageError names `where` and, if it can, the line."""
    try:
        _refuse_the_unusual(text, where)
        loader = _Loader(text)
        node = loader.get_single_node()
        _refuse_repeated_keys(node, where)
        return None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        raise PackageError(f"{where}: not valid YAML: {_words(error)}.") from error
    except ValueError as error:  # a date such as 2001-99-99, an integer of 5,000 digits
        raise PackageError(f"{where}: a value cannot be read: {error}; write it in quotes.") from error


def _refuse_the_unusual(text: str, where: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if getattr(event, "anchor", None) is not None or getattr(event, "tag", None) is not None:
            raise PackageError(f"{where}, line {line}: anchors (&), aliases (*) and tags (!) are not used here.")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise PackageError(f"{where}, line {line}: nested more than {MAX_DEPTH} deep.")


def _refuse_repeated_keys(root: yaml.Node | None, where: str) -> None:
    for mapping in _mappings(root):
        seen: set[str] = set()
        for key, _ in mapping.value:
            name = str(key.value)
            if name in seen:
                raise PackageError(f'{where}, line {key.start_mark.line + 1}: the key "{name}" is given twice.')
            seen.add(name)


def _mappings(root: yaml.Node | None) -> Iterator[yaml.MappingNode]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            yield node
            waiting.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)


def _words(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}, {error.problem}"
    return " ".join(str(error).split())
