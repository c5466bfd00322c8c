"""Takes the screenshots of docs/ anew: ``python -m tests.sfo.report.screenshots``. Look at them before you commit."""

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

from sfo.pipeline.localize import run_localize_pipeline
from sfo.report.page import html_report_page
from tests.conftest import require_tool
from tests.sfo.report.test_page import MINMAX, OPTIONS, driven

SCRIPT: Final = """
    document.getElementById("stepper").open = true;
    for (let n = 0; n < 6; n++) document.getElementById("next").click();
    document.querySelector("button.run").click();
"""
SCHEMES: Final = {"dark": 0, "light": 1}
"""How the browser numbers what ``prefers-color-scheme`` can be."""


def main() -> None:
    page = driven(html_report_page(run_localize_pipeline((MINMAX,), OPTIONS), everything=False), SCRIPT)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "page.html"
        path.write_text(page, encoding="utf-8")
        for name, number in SCHEMES.items():
            shot = Path(directory) / f"{name}.png"
            flags = [
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--window-size=1400,860",
            ]
            flags += [
                f"--blink-settings=preferredColorScheme={number}",
                f"--user-data-dir={directory}/profile",
            ]
            subprocess.run(
                [require_tool("chromium"), *flags, f"--screenshot={shot}", path.as_uri()],
                check=True,
                capture_output=True,
            )
            Image.open(shot).convert("RGB").quantize(64).save(f"docs/report-{name}.png", optimize=True)


if __name__ == "__main__":
    main()
