"""Comparing techniques: accuracy on versions with known faults, statistics, accuracy graphs, hitting times."""
