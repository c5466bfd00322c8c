"""Pages as axe-core sees them: no serious finding in either theme at three widths.

`SFO_AXE` names `axe.min.js`, as `scripts/get-axe` prints it; without it the tests are skipped.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sfo.core.program_rows import STATUSES, ProgramRow
from sfo.pipeline.localize import run_localize_pipeline
from sfo.report.batch_pages import batch_index_page, batch_page_without_result
from sfo.report.page import html_report_page
from tests.conftest import require_tool
from tests.sfo.report.test_page import MINMAX, OPTIONS, seen


def pages() -> dict[str, str]:
    rows = [
        ProgramRow(
            name=f"p{n}", files=(), status=status, said="said", fault="f", edit="a -> b", remark="verified",
            suspects=(("p.c:1", "x = y", "why"),),
        )
        for n, status in enumerate(STATUSES)
    ]  # fmt: skip
    return {
        "report": html_report_page(run_localize_pipeline((MINMAX,), OPTIONS), everything=False),
        "index": batch_index_page(rows, "class"),
        "row": batch_page_without_result(rows[0]),
    }


@pytest.fixture(scope="module", name="pages")
def fixture_pages() -> dict[str, str]:
    return pages()


def findings(page: str, directory: Path, *, dark: bool, width: int) -> list[Any]:
    axe = os.environ.get("SFO_AXE") or require_tool("axe")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    script = """
      document.querySelectorAll("details").forEach((one) => { one.open = true; });
      window.addEventListener("load", () => axe.run().then((result) => {
        const seen = document.createElement("pre");
        seen.id = "seen";
        seen.textContent = JSON.stringify(result.violations.filter((v) => ["serious", "critical"].includes(v.impact))
          .map((v) => [v.id, v.nodes.slice(0, 3).map((n) => [n.html.slice(0, 120), n.failureSummary.slice(0, 200)])]));
        document.body.append(seen);
      }));
    """
    code = Path(axe).read_text(encoding="utf-8")
    path = directory / "page.html"
    path.write_text(
        page.replace("</body>", f"<script>{code}</script><script>{script}</script></body>"), encoding="utf-8"
    )
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-background-networking --virtual-time-budget=20000"
    )
    theme = (
        ["--blink-settings=preferredColorScheme=0"] if dark else ["--blink-settings=preferredColorScheme=1"]
    )
    done = subprocess.run(
        [require_tool("chromium"), *flags.split(), *theme, f"--window-size={width},900",
         f"--user-data-dir={directory / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    found: list[Any] = seen(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("width", [400, 800, 1280])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["report", "index", "row"])
def test_axe_finds_nothing_serious(
    name: str, dark: bool, width: int, pages: dict[str, str], tmp_path: Path
) -> None:
    assert findings(pages[name], tmp_path, dark=dark, width=width) == []
