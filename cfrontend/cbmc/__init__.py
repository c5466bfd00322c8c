"""C code generation for CBMC: the goto program as instrumented C, with coverage and inputs in variables."""
