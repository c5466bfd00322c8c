"""The documentation site: built without a warning, asks no other server for anything, can be read by everybody."""

import os
import re
import subprocess
import sys
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest

from sfo.cli import COMMANDS
from tests.conftest import require_tool
from tests.places import ROOT
from tests.sfo.report.test_contrast import findings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", name="site")
def fixture_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("mkdocs") is None:
        require_tool("mkdocs")
    directory = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(directory)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return directory


def test_every_page_is_in_the_navigation_and_links_lead_somewhere(site: Path) -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in site.glob("*.html")}
    assert {path.with_suffix(".html").name for path in (ROOT / "docs").glob("*.md")} <= set(pages)
    for name, text in pages.items():
        for target in re.findall(r'href="?([^"# >]+)', text):
            if not re.match(r"[a-z]+:|/", target):
                assert (site / target).exists(), f"{name} leads to {target}"


def test_no_page_asks_another_server(site: Path) -> None:
    for path in site.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(
            r'<(?:script|img|iframe|source|link)\b[^>]*(?:src|href)="?(?:https?:)?//[^ >]*', text
        ), path.name
    assert not re.search(
        r"url\((?:https?:)?//", "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    )


def test_the_reference_is_made_from_code_and_found_by_the_search(site: Path) -> None:
    options = (site / "options.html").read_text(encoding="utf-8")
    assert all(f">sfo {command}" in options for command in COMMANDS)
    assert "--stop-on-fail" in options
    assert "unwindset" in (site / "schema.html").read_text(encoding="utf-8")
    assert "unsigned-overflow" in (site / "checks.html").read_text(encoding="utf-8")
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "stop-on-fail" in index
    assert "Fault localisation" in index


SEARCH = """<script>document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
  const field = document.querySelector(".md-search__input");
  field.focus();
  field.value = "stop-on-fail";
  field.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}));
}, 1000));</script><img src="/late.png">"""
"""Types into the search. The picture that comes late keeps the browser waiting for what the search finds."""


class Server(SimpleHTTPRequestHandler):
    page = b""

    def do_GET(self) -> None:
        if self.path == "/late.png":
            time.sleep(10)
            self.send_error(404)
        elif self.path == "/typed.html":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.page)
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


def test_a_browser_finds_an_option(site: Path, tmp_path: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8").replace("</body>", f"{SEARCH}</body>").encode()
    handler = partial(type("Typed", (Server,), {"page": page}), directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        flags = f"--headless --no-sandbox --disable-gpu --disable-background-networking --user-data-dir={tmp_path} --dump-dom"
        done = subprocess.run(
            [require_tool("chromium"), *flags.split(), f"http://127.0.0.1:{server.server_port}/typed.html"],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        server.shutdown()
    assert re.search(r"[1-9]\d* matching documents", done.stdout)
    assert "options.html?h=" in done.stdout


@pytest.mark.sample(4)
@pytest.mark.parametrize("width", [400, 800, 1280])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["index", "tutorial", "options"])
def test_axe_finds_nothing_serious(name: str, dark: bool, width: int, site: Path) -> None:
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    assert findings(page, site, dark=dark, width=width) == []
