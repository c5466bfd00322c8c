"""Test generation: Algorithm 1, passing strategies, the search for a bound, fuzzing and the portfolio of both."""
