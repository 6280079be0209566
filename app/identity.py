"""Who sends a request: a browser by its cookie, a user by a proxy's word, else an address. Trusted side.

    owner     whose history a submission is in: the cookie, or the user that the proxy names
    client    on whom it counts: the same if the store knows it, else the address it came from

A cookie is 128 random bits; the store keeps only its SHA-256, so there is no key to keep or to share. A browser that
throws its cookie away counts as its address again, which it cannot throw away.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from fastapi import Request, Response

from app.store import history
from app.store.store import Store

COOKIE = "tensorgrade"
YEAR_S = 365 * 24 * 3600
MAX_USER_CHARACTERS = 200
KNOWN = 10_000
"""Owners that are remembered as known without asking the store."""
V6_PREFIX = 64
"""What one household or hall gets: an address of its own for every request costs nobody anything."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
_COOKIE = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends a submission."""

    owner: str
    user_name: str | None
    client: str
    is_address: bool
    """Whether it counts on an address, behind which many may sit."""
    came_alone: bool
    """Whether it came without a cookie or a user: then its idempotency key stands alone."""
    new_cookie: str | None
    """To be set with the answer."""
    secure: bool


class Identity:
    """Says who sends what."""

    def __init__(self, store: Store, proxies: Sequence[Network], user_header: str | None) -> None:
        self._store = store
        self._proxies = tuple(proxies)
        self._user_header = user_header
        self._known: OrderedDict[str, None] = OrderedDict()

    async def sender(self, request: Request) -> Sender:
        """Who sends this submission."""
        user, cookie = self._user(request), _cookie(request)
        new_cookie = secrets.token_urlsafe(16) if user is None and cookie is None else None
        owner = f"user:{user}" if user is not None else _digest(cookie or new_cookie or "")
        known = user is not None or (cookie is not None and await self._is_known(owner))
        return Sender(
            owner=owner,
            user_name=user,
            client=owner if known else f"address:{_network_of(self._address(request))}",
            is_address=not known,
            came_alone=new_cookie is not None,
            new_cookie=new_cookie,
            secure=self._is_secure(request),
        )

    def owner(self, request: Request) -> str | None:
        """Whose history this request may see; None for somebody who never sent anything."""
        user, cookie = self._user(request), _cookie(request)
        if user is not None:
            return f"user:{user}"
        return None if cookie is None else _digest(cookie)

    async def _is_known(self, owner: str) -> bool:
        if owner in self._known:
            self._known.move_to_end(owner)
            return True
        known = await asyncio.to_thread(self._store.read, lambda connection: history.is_known(connection, owner))
        if known:
            self._known[owner] = None
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)
        return known

    def _user(self, request: Request) -> str | None:
        """The user that an authenticating proxy names; the header counts only when a trusted proxy sent it."""
        if self._user_header is None or not self._trusts(_peer(request)):
            return None
        name = request.headers.get(self._user_header, "").strip()
        return name[:MAX_USER_CHARACTERS] or None

    def _address(self, request: Request) -> Address | None:
        """The nearest address that is not a trusted proxy's."""
        peer = _peer(request)
        if not self._trusts(peer):
            return peer
        for name in reversed(request.headers.get("x-forwarded-for", "").split(",")):
            forwarded = _parsed(name.strip())
            if forwarded is None:
                return peer
            if not self._trusts(forwarded):
                return forwarded
            peer = forwarded
        return peer

    def _is_secure(self, request: Request) -> bool:
        scheme = request.url.scheme
        if self._trusts(_peer(request)):
            scheme = request.headers.get("x-forwarded-proto", scheme)
        return scheme.strip().lower() == "https"

    def _trusts(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._proxies)


def set_cookie(response: Response, sender: Sender) -> None:
    """Gives a new browser its cookie."""
    if sender.new_cookie is not None:
        response.set_cookie(
            COOKIE, sender.new_cookie, max_age=YEAR_S, httponly=True, samesite="lax", secure=sender.secure
        )


def _cookie(request: Request) -> str | None:
    value = request.cookies.get(COOKIE, "")
    return value if _COOKIE.fullmatch(value) else None


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


def _peer(request: Request) -> Address | None:
    return _parsed(request.client.host) if request.client is not None else None


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _network_of(address: Address | None) -> str:
    if isinstance(address, IPv6Address):
        return str(ip_network((address, V6_PREFIX), strict=False))
    return str(address)
