"""Model-based diagnosis: the angelic filter, its exact form by CEGIS, and minimal diagnoses of several units."""
