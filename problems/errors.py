"""What can be wrong with a package, and who must act.

PackageError            the author: the message names the file, the thing and the way out
  ├── CaseExists        a case of that name is there already
  └── InputError        inputs do not fit the entry point: a case about to be written, or what somebody typed
"""


class PackageError(Exception):
    """A package on disk, or a case about to be written to it, does not hold what the format promises."""


class CaseExists(PackageError):
    """A case of that name is already in the package. Nothing was written."""


class InputError(PackageError):
    """Inputs do not fit the entry point: a name, dtype, shape, value or their size in bytes. Nothing was run."""
