"""What a problem package is: its types, how it is read, checked and written.

Trusted side. Nothing below this package imports torch, executes a program of a package or knows of HTTP.
"""
