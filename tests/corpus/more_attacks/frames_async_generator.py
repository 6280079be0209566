LEAK = (x async for x in [1])
