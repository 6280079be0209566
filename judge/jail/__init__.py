"""The untrusted side: everything that shares a process with submitted code. Keep this file a docstring."""
