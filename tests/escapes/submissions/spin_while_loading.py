# verdict: time_limit_exceeded/while_loading
# why: An endless loop at the top level ends the submission after one limit.
# layers: deadline
while True:
    pass
