"""The typed abstract syntax tree of C, its types, and its printer."""
