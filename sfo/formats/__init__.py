"""Input and output formats of sfo: input vectors, coverage matrices, the JSON result. Text in, data out, and back."""
