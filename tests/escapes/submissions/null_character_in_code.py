# verdict: run_time_error/exception | compile_error
# why: A string may hold what it likes as an escape.
# layers: outside
exec("x = 5\0")
