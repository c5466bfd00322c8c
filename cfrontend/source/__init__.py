"""C source text: preprocessing, our own headers, contracts in comments, and pycparser's parse tree."""
