# verdict: compile_error/missing_function
# why: An empty source lacks the function.
# layers: outside

