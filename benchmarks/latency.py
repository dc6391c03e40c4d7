"""How long a picture takes to follow the hand. Writes benchmarks/latency.md.

In the page: the time from a key press on a slider to a changed picture, in JupyterLab in headless Chromium,
for the live canvas and for two usual ways to show the same picture: ipympl, whose artists we move in place
and which then draws its whole figure again, and `interact` with inline pictures. All three fit the same SVC,
evaluate it on the same grid and draw the same view at the same size.
In the kernel: the time of one move of a slider, and of one drag, of every explorer.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import ipywidgets as widgets
import nbformat
import numpy as np

from sparsekm_edu import explorers

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/browser"))
from labdriver import CHROMIUM, Notebook, chromium, course, notebook  # noqa: E402

BLOCKS, MOVES = 6, 8  # moves that count, after two in each block that do not
TARGET_RATIO, TARGET_KERNEL = 0.6, 30.0

SETUP = """\
import dataclasses
import ipywidgets as widgets
import matplotlib.pyplot as plt
from sparsekm_edu import explorers
from sparsekm_edu.explorers.svm.margins import KernelMarginExplorer, KernelMarginState
from sparsekm_edu.figures.svm.margins import MarginSurface

def gamma_slider():
    return widgets.FloatLogSlider(description="γ", min=-2, max=1, step=0.05, value=FIRST.gamma)

def show(view, gamma):
    state = dataclasses.replace(FIRST, gamma=gamma)
    picture = KernelMarginExplorer.compute(state)
    view.update(state.X, state.t, picture.grid, picture.Y, picture.support)

FIRST, SIZE = KernelMarginState(), KernelMarginExplorer.size"""

OURS = """\
ex = explorers.kernel_margin()
ex"""

IPYMPL = """\
%matplotlib widget
with plt.ioff():
    figure, ax = plt.subplots(figsize=SIZE)
figure.canvas.header_visible = False
view = MarginSurface(ax)
show(view, FIRST.gamma)
def changed(change):
    show(view, change["new"])
    figure.canvas.draw_idle()
slider = gamma_slider()
slider.observe(changed, "value")
widgets.VBox([slider, figure.canvas])"""

INLINE = """\
%matplotlib inline
def picture(gamma):
    figure, ax = plt.subplots(figsize=SIZE)
    show(MarginSurface(ax), gamma)
    plt.show()
_ = widgets.interact(picture, gamma=gamma_slider())"""

WAYS = {  # name -> (cell, what holds the picture)
    "live canvas": (OURS, ".skm-page canvas"),
    "ipympl, full redraw": (IPYMPL, ".jupyter-matplotlib-canvas-div canvas"),
    "interact, inline": (INLINE, ".jp-OutputArea-output img"),
}

# From a key press to the first frame of the page in which the picture looks different.
WATCH = """selector => {
  const small = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const look = () => {
    const shown = document.querySelector(selector);
    if (!shown || !shown.width || shown.complete === false) return null;
    small.canvas.width = 190, small.canvas.height = 115;
    small.drawImage(shown, 0, 0, 190, 115);
    return small.getImageData(0, 0, 190, 115).data.join();
  };
  const before = look();
  let pressed = null;
  window.latency = null;
  document.addEventListener('keydown', () => { pressed = performance.now(); }, { capture: true, once: true });
  const watch = () => {
    const now = pressed && look();
    if (now && now !== before) window.latency = performance.now() - pressed;
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}"""


def block(opened, selector, key):
    """Latencies in milliseconds of MOVES moves of the slider."""
    times = []
    opened.page.bring_to_front()
    opened.page.locator(selector).first.evaluate("picture => picture.scrollIntoView({ block: 'end' })")
    slider = opened.page.locator(".widget-slider .noUi-handle").first
    slider.evaluate("slider => slider.focus({ preventScroll: true })")
    opened.page.wait_for_timeout(500)
    for _ in range(2 + MOVES):
        opened.page.evaluate(WATCH, selector)
        opened.page.keyboard.press(key)
        opened.page.wait_for_function("() => window.latency !== null")
        times.append(opened.page.evaluate("window.latency"))
        opened.page.wait_for_timeout(150)  # the kernel comes to rest
    return times[2:]


def in_the_page():
    """Way -> latencies, in interleaved blocks whose order is reversed every other time."""
    times = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "notebooks"
        folder.mkdir()
        for n, (cell, _) in enumerate(WAYS.values()):
            nbformat.write(notebook([SETUP, cell]), folder / f"{n}.ipynb")
        with course(folder, Path(home)) as lab, chromium() as browser:
            windows = {way: Notebook(browser, lab, f"{n}.ipynb") for n, way in enumerate(WAYS)}
            for opened in windows.values():
                opened.page.bring_to_front()
                opened.run_all()
                opened.page.wait_for_timeout(2000)
                if opened.wrong():
                    sys.exit("\n".join(opened.wrong()))
            for k in range(BLOCKS):
                for way in list(WAYS)[:: 1 if k % 2 == 0 else -1]:
                    _, selector = WAYS[way]
                    times[way] += block(windows[way], selector, "ArrowRight" if k % 2 == 0 else "ArrowLeft")
    return times


def timed(action, values):
    """Milliseconds of action(value) for each value, after one that does not count."""
    times = []
    for value in values:
        start = time.perf_counter()
        action(value)
        times.append(1000 * (time.perf_counter() - start))
    return times[1:]


def in_the_kernel(name):
    """Milliseconds of moves of all its sliders, and of drags of, or clicks on, some of its handles."""
    explorer = getattr(explorers, name)()
    moves, drags = [], []
    for control in explorer.widgets.values():
        if isinstance(control, widgets.FloatLogSlider):
            values = control.base ** np.linspace(control.min, control.max, 41)
        elif isinstance(control, widgets.FloatSlider):
            values = np.linspace(control.min, control.max, 41)
        elif isinstance(control, widgets.IntSlider):
            values = np.unique(np.linspace(control.min, control.max, 41).astype(int)).tolist()
        elif isinstance(control, widgets.SelectionSlider):
            values = [option[-1] if isinstance(option, tuple) else option for option in control.options]
        else:
            continue
        moves += timed(lambda value, control=control: setattr(control, "value", value), values)
        explorer.reset()
    rng = np.random.default_rng(0)
    for index in rng.permutation(len(explorer.canvas.handles))[:8]:
        u, v, *_, fixed = explorer.canvas.handles[index]
        places = [(u + du, v + dv) for du, dv in np.cumsum(rng.normal(scale=0.01, size=(12, 2)), axis=0)]
        drags += timed(
            lambda place, index=index, gesture="choose" if fixed else "move": explorer._on_gesture(
                {"type": gesture, "index": int(index), "u": place[0], "v": place[1]}
            ),
            places,
        )
        explorer.reset()
    explorer.close()
    return moves, drags


def summary(times):
    return f"{np.median(times):.0f} | {np.percentile(times, 95):.0f}" if times else "– | –"


def report(page, kernel, load):
    median = {way: np.median(times) for way, times in page.items()}
    rivals = [way for way in page if way != "live canvas"]
    lines = [
        "# Latency of the explorers",
        "",
        f"Written by `make bench` on {os.cpu_count()} cores; load average {load[0]:.1f} at the beginning and "
        f"{load[1]:.1f} at the end. Milliseconds.",
        "",
        "## Slider key press to changed picture",
        "",
        "`explorers.kernel_margin()` and the same picture shown in two other ways; JupyterLab in headless Chromium,",
        f"1280 x 720, {BLOCKS * MOVES} moves each in {BLOCKS} interleaved blocks.",
        "",
        "| way | median | 95 % | ours / this |",
        "|---|---|---|---|",
        f"| live canvas | {summary(page['live canvas'])} | |",
        *(f"| {way} | {summary(page[way])} | {median['live canvas'] / median[way]:.2f} |" for way in rivals),
        "",
        f"Target: at most {TARGET_RATIO} of ipympl's full redraw.",
        "",
        "## The kernel's side of one move",
        "",
        "Solve, evaluate, draw, compress; without the page.",
        "",
        "| explorer | slider, median | 95 % | drag, median | 95 % |",
        "|---|---|---|---|---|",
        *(f"| {name} | {summary(moves)} | {summary(drags)} |" for name, (moves, drags) in kernel.items()),
        "",
        f"Target: a slider move of at most {TARGET_KERNEL:.0f} in the median.",
    ]
    return "\n".join(lines) + "\n"


def main():
    if CHROMIUM is None:
        sys.exit("no Chromium on this machine: apt-get install chromium")
    before = os.getloadavg()[0]
    kernel = {name: in_the_kernel(name) for name in explorers.__all__}
    page = in_the_page()
    text = report(page, kernel, (before, os.getloadavg()[0]))
    (HERE / "latency.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
