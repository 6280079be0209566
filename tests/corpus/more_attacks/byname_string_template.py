import string
LEAK = string.Template('$x').substitute(x=1)
