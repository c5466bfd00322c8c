"""Readers and writers of coverage matrices and edge profiles."""
