"""The service around the judge: HTTP, the page, the command line."""
