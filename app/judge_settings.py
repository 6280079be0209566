"""What the judge is told by the settings. Trusted side; light, since every command needs it."""

from __future__ import annotations

from app.bank import bank_directory
from app.settings import Settings
from judge.options import JudgeOptions


def judge_options(settings: Settings) -> JudgeOptions:
    """What the judge is told. The jail must see neither the bank nor the data, wherever they lie."""
    return JudgeOptions(
        zygotes=settings.zygotes,
        waive=settings.waive,
        hide=(bank_directory(settings), settings.data_dir),
        cache_dir=settings.data_dir / "mistakes",
    )
