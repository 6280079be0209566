"""The commands of `tensorgrade`, one module each. Trusted side.

They raise; `app.cli.main` turns what they raise into one sentence and an exit status.
"""
