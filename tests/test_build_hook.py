"""What is bundled for the page: pinned, from nowhere in particular, and optional."""

import importlib.util
import json
import re
import shutil
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EDITOR = ROOT / "static" / "editor"
DIST = ROOT / "static" / "dist"


@pytest.fixture(scope="module")
def lock():
    return json.loads((EDITOR / "package-lock.json").read_text(encoding="utf-8"))


def test_every_package_is_pinned_to_one_version(lock):
    wanted = json.loads((EDITOR / "package.json").read_text(encoding="utf-8"))
    for name, version in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert lock["packages"][f"node_modules/{name}"]["version"] == version


def test_the_lock_file_names_checksums_and_no_host(lock):
    for place, entry in lock["packages"].items():
        assert "resolved" not in entry, place
        assert not place or entry["integrity"].startswith("sha512-"), place
    assert "http" not in (EDITOR / "package-lock.json").read_text(encoding="utf-8")


def test_the_licences_of_all_that_is_served_are_there(lock):
    text = (DIST / "THIRD_PARTY_LICENSES.txt").read_text(encoding="utf-8")
    served = [place for place, entry in lock["packages"].items() if place and not entry.get("dev")]
    assert len(served) > 10
    for place in served:
        assert re.search(rf"^{re.escape(place.removeprefix('node_modules/'))} \d", text, re.MULTILINE), place
    assert "SIL OPEN FONT LICENSE" in text


@pytest.fixture
def hook(monkeypatch, tmp_path):
    """The hook on a copy of the editor's sources. hatchling exists only while pip builds, so its base class is bare."""
    parts = ["hatchling", "builders", "hooks", "plugin", "interface"]
    for length in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:length]), types.ModuleType(parts[length - 1]))
    bare = type("BuildHookInterface", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    sys.modules[".".join(parts)].BuildHookInterface = bare
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shutil.copytree(EDITOR, tmp_path / "static" / "editor")
    hook = module.EditorBundle()
    said = []
    hook.root, hook.target_name = str(tmp_path), "wheel"
    hook.app = types.SimpleNamespace(display_warning=said.append, display_info=said.append, said=said)
    return hook


def test_an_install_goes_on_without_the_bundle_when_npm_reaches_nothing_and_says_so_in_one_line(
    hook, tmp_path, monkeypatch
):
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retry_mintimeout", "1")
    hook.initialize("standard", {})
    assert len(hook.app.said) == 1
    assert hook.app.said[0].startswith("Installed without the code editor (the page keeps a text area): ")
    assert "\n" not in hook.app.said[0]
    assert not (tmp_path / "static" / "dist" / "editor.js").exists()
    assert not list(tmp_path.rglob("node_modules"))


def test_what_is_newer_than_its_sources_is_not_built_again(hook, tmp_path):
    shutil.copytree(DIST, tmp_path / "static" / "dist")
    for path in (tmp_path / "static" / "dist").iterdir():
        path.touch()
    hook.initialize("editable", {})
    assert hook.app.said == []
    assert hook.dependencies() == []
