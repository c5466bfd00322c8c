"""Pipelines from files to a result: the stages of each command in order."""
