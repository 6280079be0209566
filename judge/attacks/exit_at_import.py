# with policy: compile_error/forbidden_import
# without policy: run_time_error/exited
# why: Leaving the process while loading ends the submission.
# layers: outside
import os

os._exit(0)
