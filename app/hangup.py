"""What is said after a connection has ended is said to nobody. Trusted side.

When a client breaks the rules of HTTP in the middle of a body, uvicorn answers 400 and hangs up at once; what the
handler says a moment later then fails inside h11 and would be logged as an error of ours.
"""

from __future__ import annotations

import structlog
from h11 import LocalProtocolError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = structlog.get_logger()


class HangUp:
    """ASGI middleware: an answer that can no longer be sent is dropped."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def say(message: Message) -> None:
            try:
                await send(message)
            except LocalProtocolError:
                log.debug("hung up", path=scope.get("path"))
                # Or uvicorn finds the handler done before it has noticed that the connection is, and logs that.
                while (await receive())["type"] != "http.disconnect":
                    pass

        await self._app(scope, receive, say if scope["type"] == "http" else send)
