"""Program repair: candidate edits, their validation by tests and by the solver, and edits of several units."""
