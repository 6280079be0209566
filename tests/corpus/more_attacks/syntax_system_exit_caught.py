try:
    raise SystemExit
except BaseException as e:
    LEAK = e.__context__
