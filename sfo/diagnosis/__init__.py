"""Model-based diagnosis: the angelic filter, and minimal diagnoses of several units."""
