"""The oracle that asks the real CBMC, to compare with and for those who trust it more.

cfrontend.cbmc.instrumentation     the program as C in which a question stands
process                  one call of CBMC: options, time limit, exit code; its JSON: verdict and drawn values
formula                  its DIMACS: clauses, and which literals are what
asking                   one process for each question, or one formula for all
oracle                   executions from the answers, each replayed by ``cfrontend``
"""
