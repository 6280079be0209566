import numbers
LEAK = numbers.Number.register
