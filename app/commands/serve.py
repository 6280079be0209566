"""`tensorgrade serve`: the server. Trusted side."""

from __future__ import annotations

import ipaddress
import logging
import socket
import sys
from contextlib import suppress
from typing import Annotated

import structlog
import typer
from fastapi import FastAPI
from uvicorn import Config, Server

from app.commands.common import WrongUse
from app.logs import configure_logs
from app.main import create_app
from app.settings import read_settings
from app.store.lock import DirectoryLock

GRACE_S = 30
"""What runs is finished when the server is told to stop: longer than the 20 s that a submission may take in all."""
BACKLOG = 1024
SWITCH_S = 0.0005
"""How long a thread may keep the others from running: with the interpreter's 5 ms, a thread that compares outputs would
hold up each of the three changes of threads that an answer takes."""

log = structlog.get_logger()


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    *,
    expose: Annotated[
        bool, typer.Option("--expose", help="Allow an address that other machines reach. There is no login.")
    ] = False,
) -> None:
    """Serve the page and the API until it is told to stop (Ctrl-C or SIGTERM)."""
    settings = read_settings()
    if not _is_loopback(host) and not expose:
        raise WrongUse(
            f"{host} can be reached by other machines, and there is no login: anybody there could read every problem "
            "and submit. Add --expose if that is what you want."
        )
    configure_logs(settings.log_level)
    sys.setswitchinterval(SWITCH_S)
    if settings.database_url is None:
        with DirectoryLock(settings.data_dir):
            pass  # who holds it is better news than that its port is taken
    app = create_app(settings)
    with _listener(host, port) as listener:
        if expose:
            log.warning("exposed", host=host, to="everybody who reaches this address: all problems and submitting")
        _run(app, listener)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise WrongUse(f"Cannot listen on {host} port {port}: {error.strerror}; choose another with --port.") from error
    # Connections inherit it. Without it an answer's body waits 40 ms for the client to acknowledge its headers: asyncio
    # sets it by itself only on sockets that were made with their protocol's number.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


class _Announcing(Server):
    """Says where it serves once it really does, and tells the application when it is to stop."""

    def __init__(self, config: Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or []:
            host, port = listener.getsockname()[:2]
            log.info("serving", url=f"http://{f'[{host}]' if ':' in host else host}:{port}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """What has not begun is answered with a place where it will be, before connections are waited for."""
        if self._app.state.drain is not None:
            self._app.state.drain()
        await super().shutdown(sockets)


def _run(app: FastAPI, listener: socket.socket) -> None:
    config = Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE_S,
    )
    # A judge that cannot start is told once and in words, by `main`, not as a traceback by uvicorn.
    logging.getLogger("uvicorn.error").addFilter(lambda _: app.state.unavailable is None)
    try:
        with suppress(KeyboardInterrupt):
            _Announcing(config, app).run(sockets=[listener])
    except SystemExit:
        if app.state.unavailable is not None:
            raise app.state.unavailable from None
        raise
    log.info("stopped")
