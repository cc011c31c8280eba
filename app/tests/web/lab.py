"""What the tests of the page share: the page in a browser and the program beside it."""
import contextlib
import functools
import http.server
import json
import math
import pathlib
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).parents[3]
WIDTH, HEIGHT = 960, 540
TESTS = []
RETRIED = set()  # those that a machine that stalls may fail
# Columns of tables, by scene, that differ by the size of a pointer: memory.
OF_THE_MACHINE = {"broadphases": [5]}


def test(call):
    TESTS.append(call)
    return call


def gesture_test(call):
    """Of a gesture with a time limit: where the machine stalls, a tap is a long press. It may be tried again."""
    RETRIED.add(call)
    return test(call)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()


class Lab:
    """The browser, the page's address and the program beside it."""

    def __init__(self, browser, address, folder, program, scratch):
        self.browser, self.address, self.folder, self.program = browser, address, folder, program
        self.scratch = pathlib.Path(scratch)

    @contextlib.contextmanager
    def page(self, link="", name="index.html", width=WIDTH, height=HEIGHT, ratio=1, touch=False, clean=True):
        page = self.browser.open(self.address + name + link, width, height, ratio, touch)
        try:
            page.wait_for("window.bvlab && bvlab.frames() > 0", 60)
            yield page
            if clean:
                assert not page.complaints, page.complaints[:5]
                foreign = [r for r in page.requests if not r.startswith((self.address, "data:", "blob:"))]
                assert not foreign, foreign[:5]
        finally:
            page.close()

    def native(self, *options):
        run = subprocess.run([self.program, "--headless", *options], capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        return run.stderr

    def scenes(self):
        lines = subprocess.run([self.program, "--list-scenes"], capture_output=True, text=True).stdout
        return [line.split()[0] for line in lines.splitlines()]


def frames(page, count=3, jobs=True):
    """Some more frames after the posted input has arrived, and then the jobs that were begun."""
    page.settle()
    ended = " && !bvlab.busy()" if jobs else ""
    page.wait_for(f"bvlab.frames() >= {page.evaluate('bvlab.frames()') + count}{ended}", 120)


def distance(a, b):
    """Mean difference of two pictures of the tests' size, 0 to 255, and the share of bytes that differ by more than 32."""
    raw = subprocess.run(["convert", a, b, "-compose", "difference", "-composite", "-depth", "8", "rgb:-"],
                         capture_output=True, check=True).stdout
    assert len(raw) == WIDTH * HEIGHT * 3, f"a picture is not {WIDTH}x{HEIGHT}"
    return sum(raw) / len(raw), len(raw.translate(None, bytes(range(33)))) / len(raw)


def same_report(native, page):
    """The first difference of two reports, but for measured times."""
    return first_difference(without_times(native), without_times(page))


def without_times(report):
    report = dict(report)
    for name in ("timings_ms", "before_after", "widgets", "program"):
        report.pop(name, None)
    report["volumes"] = [{k: v for k, v in row.items() if k != "fit_ms"} for row in report["volumes"]]
    report["trees"] = [{k: v for k, v in row.items() if k != "build_ms"} for row in report["trees"]]
    for table in report["tables"].values():
        for row in table["rows"]:
            for column in table["measured"] + OF_THE_MACHINE.get(report["scene"], []):
                row[column] = None
    return report


def first_difference(a, b, where=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if key not in a or key not in b:
                return f"{where}.{key} is missing on one side"
            if found := first_difference(a[key], b[key], f"{where}.{key}"):
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{where}: {len(a)} and {len(b)} entries"
        for i, (x, y) in enumerate(zip(a, b)):
            if found := first_difference(x, y, f"{where}[{i}]"):
                return found
        return None
    return None if a == b else f"{where}: {a!r} and {b!r}"


def appears(path, seconds=30):
    """The bytes of a download."""
    deadline = time.monotonic() + seconds
    while not path.is_file() or path.with_name(path.name + ".crdownload").exists():
        assert time.monotonic() < deadline, f"{path.name} was not downloaded"
        time.sleep(0.05)
    return path.read_bytes()


def click_widget(page, name):
    page.click(*widget(page, name))
    frames(page)


def widget(page, name, ratio=1):
    at = page.wait_for(f"bvlab.report().widgets[{json.dumps(name)}]")
    return at[0] / ratio, at[1] / ratio


def wavy_ball(rings):
    """A mesh as text, with two triangles for each square of rings and twice as many segments."""
    lines, across = [], 2 * rings
    for i in range(rings + 1):
        for k in range(across):
            down, around = math.pi * (i + 0.2) / (rings + 0.4), 2 * math.pi * k / across
            r = 1 + 0.1 * math.sin(5 * down) * math.cos(7 * around)
            lines.append("v %.5f %.5f %.5f" % (r * math.sin(down) * math.cos(around), r * math.cos(down), r * math.sin(down) * math.sin(around)))
    for i in range(rings):
        for k in range(across):
            a, b = i * across + k + 1, i * across + (k + 1) % across + 1
            lines += ["f %d %d %d" % (a, b, a + across), "f %d %d %d" % (b, b + across, a + across)]
    return "\n".join(lines) + "\n"
