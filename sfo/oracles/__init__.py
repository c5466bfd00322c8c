"""Oracles: whoever answers Algorithm 1 with failing and passing executions (SMT-based bounded model checking, CBMC)."""
