"""Spectrum-based fault localisation: everything that ranks a coverage matrix, whatever it comes from."""
