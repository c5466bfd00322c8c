"""Edits of C source text at the exact spans of tree nodes: what they may be, and the text with them made."""
