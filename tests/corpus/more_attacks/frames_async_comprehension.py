async def f(): return [x async for x in []]
LEAK = f
