"""The course as a reader meets it: started by `make lab`, seen in JupyterLab in a headless Chromium.

Used by the browser tests and by benchmarks/latency.py.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {
        "windowingMode": "none"
    },  # all cells are in the page, also those out of sight
}
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def notebook(cells):
    """A notebook of code cells; with a kernel named, or JupyterLab would ask for one."""
    return new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=KERNEL)


class Lab:
    """A running course: its address with the token, and the folder that it serves."""

    def __init__(self, address, folder):
        self.folder = folder
        self.base, self.token = re.match(r"(http://[^/]+)/.*[?&]token=(\w+)", address).groups()

    def url(self, name):
        return f"{self.base}/doc/tree/{name}?token={self.token}&reset"

    def ask(self, path, method="GET"):
        """An answer of the server's own interface."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.base}/api/{path}", headers=headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")

    def end_kernel(self, name):
        """Shut down the kernel of a notebook."""
        for session in self.ask("sessions"):
            if session["path"] == name:
                self.ask(f"sessions/{session['id']}", "DELETE")


@contextlib.contextmanager
def course(folder, home):
    """Start the course by the README's command on the notebooks in `folder`, with Jupyter folders in `home`."""
    for name, value in SETTINGS.items():
        file = home / "settings/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }
    environment = {**os.environ, **{variable: str(home / name) for variable, name in folders.items()}}
    for variable in ("JUPYTER_TOKEN", "MAKEFLAGS", "MAKELEVEL"):  # `make test` or the user may have set them
        environment.pop(variable, None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # -o: the environment that runs this is ready, whatever the age of its stamp
    command = ["make", "-o", f"{sys.prefix}/.ready", "lab", "BROWSER=no", f"PORT={port}"]
    log = home / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, f"NOTEBOOKS={folder}", f"VENV={sys.prefix}"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Lab(printed_address(server, log), folder)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(15)
            os.killpg(server.pid, signal.SIGKILL)


def printed_address(server, log, seconds=90):
    """The address that `make lab` prints for the reader."""
    for _ in range(10 * seconds):
        printed = re.search(r"http://127\.0\.0\.1:\d+/\S*token=\w+", log.read_text())
        if printed:
            return printed[0]
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("make lab did not start:\n" + log.read_text()[-3000:])


@contextlib.contextmanager
def chromium():
    """A headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Shown:
    """An explorer in the page; `root` is what contains it."""

    def __init__(self, page, root):
        self.page, self.root = page, root
        self.canvas = root.locator(".skm-page canvas")
        self.readout = root.locator(".skm-facts")
        self.sliders = root.locator(".skm-side .widget-slider:not(.widget-play) .noUi-handle")

    def picture(self):
        return self.canvas.evaluate("canvas => canvas.toDataURL()")

    def settle(self):
        """Until nothing has come for a while: no new frame, and no gesture without an answer."""
        self.page.wait_for_function(
            """canvas => {
                 const now = `${canvas.dataset.frames} ${canvas.dataset.busy}`;
                 if (now !== canvas.lastSeen) { canvas.lastSeen = now; canvas.since = performance.now(); }
                 return canvas.dataset.busy !== 'true' && performance.now() - canvas.since > 400;
               }""",
            arg=self.canvas.element_handle(),
        )

    def wait_for_change(self, picture, seconds=20):
        """Until the canvas shows something else than `picture`."""
        self.page.wait_for_function(
            "([canvas, before]) => canvas.toDataURL() !== before",
            arg=[self.canvas.element_handle(), picture],
            timeout=1000 * seconds,
        )

    def changes(self, picture):
        """Whether the canvas shows something else than `picture` within five seconds."""
        from playwright.sync_api import TimeoutError

        try:
            self.wait_for_change(picture, seconds=5)
        except TimeoutError:
            return False
        return True

    def place(self, u, v):
        """Fractions of the picture -> where that is in the window."""
        box = self.canvas.bounding_box()
        return box["x"] + u * box["width"], box["y"] + v * box["height"]

    def drag(self, start, end, steps=6):
        """Take what is at `start` with the mouse and let go at `end`, both fractions of the picture."""
        self.page.mouse.move(*self.place(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.place(*end), steps=steps)
        self.page.mouse.up()


class Notebook(Shown):
    """A notebook in the browser, and the explorer in it if it has only one."""

    def __init__(self, browser, lab, name):
        self.lab, self.name = lab, name
        context = browser.new_context(viewport={"width": 1280, "height": 720}, has_touch=True)
        page = context.new_page()
        super().__init__(page, page)
        self.console = []
        page.on("console", lambda line: self.console.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.goto(lab.url(name))
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        self.wait_idle()
        self.cells = page.locator(".jp-Notebook .jp-CodeCell")

    def explorers(self):
        """All explorers of the notebook, from top to bottom."""
        return [Shown(self.page, root) for root in self.page.locator(".skm-explorer").all()]

    def close(self):
        """Close the window and end its kernel: a small machine does not hold many."""
        self.page.context.close()
        self.lab.end_kernel(self.name)

    def wait_idle(self, seconds=180):
        self.page.get_by_text(re.compile(r"\| Idle")).first.wait_for(timeout=seconds * 1000)

    def menu(self, *items):
        """Choose an entry of the menu bar, down through its submenus."""
        self.page.get_by_role("menuitem", name=items[0], exact=True).click()
        for item in items[1:]:
            self.page.locator(".lm-Menu-item", has_text=item).first.click()

    def run_all(self):
        running = "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].some(p => /\\*/.test(p.textContent))"
        self.menu("Run", "Run All Cells")
        self.page.wait_for_function(f"() => {running}", timeout=20_000)
        self.page.wait_for_function(f"() => !{running}", timeout=120_000)
        self.wait_idle()

    def run(self, n):
        """Run code cell n alone; returns what it prints."""
        cell = self.cells.nth(n)
        prompt = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            "([prompt, before]) => /\\d/.test(prompt.textContent) && prompt.textContent.trim() !== before",
            arg=[cell.locator(".jp-InputPrompt").element_handle(), prompt.strip()],
        )
        text = cell.locator(".jp-OutputArea-output pre")
        return text.inner_text() if text.count() else ""

    def wrong(self):
        """Error outputs, stderr, widgets that failed, and complaints of our own code in the console."""
        bad = (
            "[data-mime-type='application/vnd.jupyter.error'], [data-mime-type='application/vnd.jupyter.stderr'],"
            ".jupyter-widgets-error, .jp-mod-error"
        )
        words = re.compile("anywidget|skm|widget|canvas.js", re.IGNORECASE)
        return self.page.locator(bad).all_inner_texts() + [
            line for line in self.console if words.search(line)
        ]
