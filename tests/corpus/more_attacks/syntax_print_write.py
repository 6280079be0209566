LEAK = print.__closure__
