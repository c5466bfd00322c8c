"""Data types that all other folders share: executions, results, budgets, parallel work, decoding of models."""
