"""Formats of printf and scanf, and the text that formatted output prints."""
