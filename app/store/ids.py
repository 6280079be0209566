"""Ids of submissions and judgings. Trusted side."""

from __future__ import annotations

import secrets


def new_id() -> str:
    """22 base64url characters from 128 random bits; the first is a letter or digit.

    With a hyphen in front an id would be an option to a command and a formula to a spreadsheet.
    """
    while not (made := secrets.token_urlsafe(16))[0].isalnum():
        pass
    return made
