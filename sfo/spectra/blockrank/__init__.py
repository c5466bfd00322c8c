"""Techniques on edge profiles (Zhang et al. 2011): BlockRank, CP, and the predicate-based CBI, SOBER and DES."""
