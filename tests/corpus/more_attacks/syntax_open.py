LEAK = open('MARK', 'w')
