"""Concrete executions: native ones, imported tests, standard input, traces and slices."""
