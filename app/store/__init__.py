"""What is kept: submissions, what they were judged on, and what came out. Trusted side; all SQL lives here.

schema       the tables
database     opens the file, brings its tables up to date
lock         one process at a time judges from a data directory
writer       one thread that writes, with group commit
accepting    submissions come in          judgings    claim, store, recover
history      what a browser may read      revisions   problems as immutable bytes
store        all of it together
"""
