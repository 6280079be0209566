"""The HTML pages: the list of problems, one problem, and what to say when there is none of that name. Trusted side.

`mount_pages` adds `GET /`, `GET /problems/{slug}` and `GET /static/{version}/{name}` to an application. A page is made
of a sheet, which is rendered once per revision and kept, and a template around it.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.routing import Route

import static
from app.assets import SECURITY, Assets
from app.bank import Problems
from app.settings import Settings
from app.sheet import Sheet, sheet_of
from app.submission import SubmitBody
from problems.errors import PackageError
from problems.package import Problem

log = structlog.get_logger()

EDITOR = "dist/editor.js"
FONT = "dist/stix-two-math.woff2"
STYLES = ("mathfont", "tokens", "base", "shell", "prose", "formula", "editor", "results", "tools", "narrow", "media")
"""The style sheets in the order in which later ones win."""
APART = ("js/early.js", "js/plain.js")
"""Scripts that the problem page does not load as modules."""


def mount_pages(app: FastAPI, bank: Problems, settings: Settings) -> None:
    """Adds the pages to an application. Reads the templates and the page's files once, now."""
    del settings  # nothing of it changes a page so far
    pages = Pages(app, bank, Path(static.__file__).parent)

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return pages.index()

    @app.get("/problems/{slug}", include_in_schema=False)
    def problem(slug: str) -> Response:
        return pages.problem(slug)

    @app.get("/static/{version}/{name:path}", include_in_schema=False)
    def asset(version: str, name: str, request: Request) -> Response:
        return pages.assets.response(version, name, request.headers.get("accept-encoding", ""))


class Pages:
    """Makes the pages' responses."""

    def __init__(self, app: FastAPI, bank: Problems, root: Path) -> None:
        self.assets = Assets(root)
        self._app = app
        self._bank = bank
        self._sheets: dict[str, tuple[str, Sheet]] = {}
        if EDITOR not in self.assets:
            log.warning(
                "no code editor", missing=f"static/{EDITOR}", so="pages keep a text area", fix="make install with npm"
            )
        self._templates = Environment(
            loader=FileSystemLoader(root / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            asset=self.assets.url,
            stylesheets=[f"css/{name}.css" for name in STYLES if name != "mathfont" or FONT in self.assets],
            modules=[name for name in self.assets.names("js") if name not in APART],
            has_font=FONT in self.assets,
        )

    def index(self) -> Response:
        """The list; with a single problem, the way straight to it."""
        problems = self._bank.problems()
        if len(problems) == 1:
            return RedirectResponse(
                f"/problems/{next(iter(problems))}", headers={"Cache-Control": "no-store", **SECURITY}
            )
        rows = [_row(problem) for _, problem in sorted(problems.items())]
        return self._page("index.html", rows=rows)

    def problem(self, slug: str) -> Response:
        """The page of one problem, or a page that says why not."""
        try:
            problem = self._bank.get(slug)
        except KeyError:
            message = "There is no problem of this name here. The address may be mistyped, or the problem was removed."
            return self._page("message.html", status=404, title="No such problem", message=message)
        try:
            sheet = self._sheet(problem)
        except PackageError as error:
            log.warning("problem cannot be shown", problem=slug, why=str(error))
            message = (
                "The text of this problem has an error that its author must fix. The server's log names the place."
            )
            return self._page("message.html", status=503, title="This problem cannot be shown", message=message)
        features = {"history": self._has("/submissions"), "like": "like" in SubmitBody.model_fields}
        return self._page("problem.html", sheet=sheet, features=features)

    def _sheet(self, problem: Problem) -> Sheet:
        revision, sheet = self._sheets.get(problem.slug, ("", None))
        if sheet is None or revision != problem.revision:
            sheet = sheet_of(problem)
            self._sheets[problem.slug] = (problem.revision, sheet)
        return sheet

    def _has(self, path: str) -> bool:
        """Whether the application answers under this path: the page offers only what is there."""
        return any(isinstance(route, Route) and route.path == path for route in self._app.routes)

    def _page(self, template: str, *, status: int = 200, **values: object) -> Response:
        nonce = secrets.token_urlsafe(16)
        html = self._templates.get_template(template).render(nonce=nonce, **values)
        headers = {"Content-Security-Policy": _policy(nonce), "Cache-Control": "private, no-cache", **SECURITY}
        return HTMLResponse(html, status_code=status, headers=headers)


def _row(problem: Problem) -> dict[str, Any]:
    return {
        "slug": problem.slug,
        "title": problem.name,
        "difficulty": problem.difficulty,
        "source_title": problem.source.title,
        "case_count": len(problem.cases),
    }


def _policy(nonce: str) -> str:
    """Own files only, no inline script, inline style only from the editor, no HTML from strings anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'nonce-{nonce}'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
