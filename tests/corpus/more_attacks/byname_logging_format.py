import logging
LEAK = logging.Formatter('{0.__globals__}', style='{')
