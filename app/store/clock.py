"""Time as the store keeps it: milliseconds since 1970, UTC. Trusted side."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def in_ms(moment: datetime) -> int:
    """A moment as the store keeps it."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def from_ms(milliseconds: int) -> datetime:
    """A moment that the store kept."""
    return _EPOCH + timedelta(milliseconds=milliseconds)
