class C:
    def __enter__(self): return self
    def __exit__(self, t, v, tb):
        global LEAK
        LEAK = getattr(tb, 'tb_' + 'frame')
        return True
with C(): 1 / 0
