"""The environment of an entry function: its arguments, what they point to, and the harness that calls it."""
