"""What can go wrong with the store. Trusted side.

StoreError                    the store cannot be used; the message is a sentence with the way out
  ├── DirectoryInUse          another process judges from this data directory
  └── StoreUnavailable        just now: disk full, locked by somebody else; try again later
"""


class StoreError(Exception):
    """The store cannot be used as it is."""


class DirectoryInUse(StoreError):
    """Another process judges from this data directory."""

    def __init__(self, message: str, pid: int | None) -> None:
        super().__init__(message)
        self.pid = pid


class StoreUnavailable(StoreError):
    """Reading or writing failed; what was asked for did not happen, and nothing else was lost."""
