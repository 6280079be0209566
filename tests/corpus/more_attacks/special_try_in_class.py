class A:
    try: 1 / 0
    except Exception as __getattr__: pass
LEAK = A
