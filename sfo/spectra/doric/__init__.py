"""Causal models of failing executions (Landsberg and Barr 2018): likelihoods in closed form or by listing."""
