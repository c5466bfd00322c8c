"""What sfo reads and writes: input vectors, coverage matrices, the JSON result. Text in, data out, and back."""
