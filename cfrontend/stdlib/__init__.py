"""Models of the C library, written in C, and the linker that joins them to a program."""
