"""Where print() goes. Runs inside the jail."""

from __future__ import annotations

from judge.jail.policy.errors import OutputLimit


class Sink:
    """Keeps the first `keep` bytes (UTF-8) printed since the last take(), and takes at most `limit`.

    `over` stays True from the moment the limit was passed until the next take(), so that a submission which catches
    OutputLimit is found out all the same.
    """

    def __init__(self, keep: int, limit: int = 1 << 20) -> None:
        self.keep = keep
        self._limit = limit
        self._parts: list[bytes] = []
        self._kept = 0
        self._printed = 0
        self.over = False

    def write(self, text: str) -> None:
        """Take printed text. Raises OutputLimit once more than the limit was printed."""
        # A character is at least a byte: count before encoding, or print("x" * 10**9) would cost the memory twice.
        if self.over or self._printed + len(text) > self._limit:
            self.over = True
            raise OutputLimit
        data = text.encode("utf-8", "backslashreplace")
        self._printed += len(data)
        room = self.keep - self._kept
        if room > 0:
            self._parts.append(data[:room])
            self._kept += min(room, len(data))
        if self._printed > self._limit:
            self.over = True
            raise OutputLimit

    @property
    def used(self) -> bool:
        """Whether anything was printed since the last take()."""
        return self._printed > 0 or self.over

    def flush(self) -> None:
        """Nothing waits here."""

    def take(self) -> tuple[str, bool]:
        """The text kept since the last take, and whether more was printed than kept. Starts the next count."""
        text = b"".join(self._parts).decode("utf-8", "ignore")  # the cut may fall inside a character
        cut = self._printed > self._kept
        self._parts, self._kept, self._printed, self.over = [], 0, 0, False
        return text, cut
