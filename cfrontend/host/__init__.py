"""What is asked of the operating system: child processes that end with us, and regular files up to a size."""
