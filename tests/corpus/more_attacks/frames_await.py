def f(): return (await g)
LEAK = f
