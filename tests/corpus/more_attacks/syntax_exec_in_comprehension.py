LEAK = [e('1') for e in [eval]]
