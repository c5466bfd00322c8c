"""Operating-system services: child processes that end with the tool, and regular files up to a size."""
