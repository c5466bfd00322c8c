"""Public sets of faulty programs that others wrote: ``python -m benchmarks.outside SET --from CHECKOUT``.

checkout   a folder or a bare git directory that anybody can have; nothing of it is committed
sets       the cases of each set: files, options, faulty lines, correct version, held-out tests
one        one case: the product as a user calls it, in a process of its own
heldout    an edit that is shown, judged by tests that sfo has not seen
tables     rows to a table with confidence intervals
"""
