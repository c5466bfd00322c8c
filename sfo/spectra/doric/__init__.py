"""Causal models of failing runs (Landsberg and Barr 2018): likelihoods in closed form or by listing."""
