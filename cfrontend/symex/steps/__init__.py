"""Transition functions of the goto instructions, by kind."""
