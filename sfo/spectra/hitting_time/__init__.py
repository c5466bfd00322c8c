"""Debugging as a Markov chain, and how long it takes to hit a unit (Henderson, Küçük and Podgurski 2019)."""
