"""What the instructions of the goto program do, by kind."""
