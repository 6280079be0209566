"""The page: HTML, CSS, ES modules."""
