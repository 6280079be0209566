# verdict: run_time_error/exited
# why: SystemExit(0) while loading is an exit, not a pass.
# layers: outside
raise SystemExit(0)
