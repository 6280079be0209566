LEAK = compile('1', 'x', 'eval')
