"""The project's own benchmark: programs with one seeded fault each, and the table of how soon sfo finds them.

python -m benchmarks                   the paper's Table 1 over benchmarks/programs
python -m benchmarks --only calendar   the faulty versions of one program
"""
