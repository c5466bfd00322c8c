"""Hitting times of the ranked list by their recurrences (derived from Definition 28 of Henderson et al. 2019).

With n units in groups of sizes s_0, s_1, ..., s_m, from the start in group 0:

    down_i    from group i to the next one          3 n + (n - 1) down_(i-1),        down_(-1) = 0
    up_i      from group i to the one before        (3 n + up_(i+1)) / (n - 1),      up_(m+1) = 0
    inside_k  from group k to one of its units      3 s_k - 1 + s_k ((n - 1) down_(k-1) + up_(k+1)) / n
    time      to a unit of group k                  down_0 + ... + down_(k-1) + inside_k

down_i is an integer of about i log10(n) digits. For a unit a dozen groups down a list of thousands it is so large that
doubles cannot tell such numbers apart when the linear equations are solved. Here every term is positive, so logarithms
lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def ranked_list_times_log(sizes: Sequence[int]) -> NDArray[np.float64]:
    """Logarithms of the expected steps to any one unit of each group; ``sizes`` of the groups, best first."""
    n = sum(sizes)
    first, factor = np.log(3 * n), np.log(max(n - 1, 1))
    down = np.full(len(sizes), -np.inf)
    for k in range(1, len(sizes)):
        down[k] = np.logaddexp(first, factor + down[k - 1])
    up = np.zeros(len(sizes) + 1)
    for i in range(len(sizes) - 1, 0, -1):
        up[i] = (3 * n + up[i + 1]) / (n - 1)
    widths = np.asarray(sizes, dtype=float)
    inside = np.logaddexp(np.log(3 * widths - 1 + widths * up[1:] / n), np.log(widths / n) + factor + down)
    return np.asarray(np.logaddexp(np.logaddexp.accumulate(down), inside))
