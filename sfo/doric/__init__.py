"""Causal models of failing runs (Landsberg and Barr 2018): likelihoods in closed form, and any hypothesis by listing."""
