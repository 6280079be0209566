"""The page's own files, held in memory and served under an address that names their content. Trusted side.

`/static/<version>/js/main.js`: the version is a digest over all files, so a browser may keep them for a year and never
mixes two versions; modules reach each other by relative paths and so stay inside one version.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from fastapi import Response

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
FOLDERS = ("css", "js", "dist")
FOREVER = "public, max-age=31536000, immutable"
PASSING = "no-store"
"""For a request under another version (a page opened before a restart): right now, but not to be kept."""
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, plain and compressed."""

    body: bytes
    squeezed: bytes | None
    """gzip of the body; None where it would not be smaller."""
    content_type: str


class Assets:
    """All files of the page as they were at start."""

    def __init__(self, root: Path) -> None:
        """Reads `root`/favicon.svg and the folders css, js and dist (which may be missing)."""
        paths = [root / "favicon.svg"]
        for folder in FOLDERS:
            paths += sorted(path for path in (root / folder).glob("*") if path.suffix in TYPES)
        self._files = {path.relative_to(root).as_posix(): _read(path) for path in paths}
        digest = hashlib.sha256()
        for name, asset in self._files.items():
            digest.update(f"{name}\0{len(asset.body)}\0".encode() + asset.body)
        self.version = digest.hexdigest()[:16]

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def url(self, name: str) -> str:
        """The address of a file, such as "css/tokens.css"; KeyError for one that is not there."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"

    def names(self, folder: str) -> list[str]:
        """The files of one folder, sorted."""
        return [name for name in self._files if name.startswith(f"{folder}/")]

    def response(self, version: str, name: str, accept_encoding: str) -> Response:
        """The file, or 404. Compressed when the client takes gzip."""
        asset = self._files.get(name)
        if asset is None:
            return Response("There is no such file.\n", status_code=404, media_type="text/plain", headers=SECURITY)
        headers = {
            "Cache-Control": FOREVER if version == self.version else PASSING,
            "Vary": "Accept-Encoding",
            **SECURITY,
        }
        if asset.squeezed is not None and "gzip" in accept_encoding.lower():
            headers["Content-Encoding"] = "gzip"
            return Response(asset.squeezed, media_type=asset.content_type, headers=headers)
        return Response(asset.body, media_type=asset.content_type, headers=headers)


def _read(path: Path) -> Asset:
    body = path.read_bytes()
    squeezed = gzip.compress(body, compresslevel=9, mtime=0)
    return Asset(
        body=body,
        squeezed=squeezed if len(squeezed) < len(body) else None,
        content_type=TYPES[path.suffix],
    )
