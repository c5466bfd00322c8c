"""The library that ``import sfo`` gives: each command as a function with the defaults of the command line."""
