"""The judge: a problem and a source in, a report out.

Keep this file a docstring. The zygote imports `judge.jail`, and with it this file: one re-export here would load
trusted modules inside the jail.
"""
