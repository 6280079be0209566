async def f(): pass
LEAK = f().cr_frame
