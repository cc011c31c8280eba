"""measure.py BUILD/web BVLAB [ROW...]: what the page costs, beside the program on the same machine in the same run.

Rows: size, start, frames, longest, mesh, step; all of them if none is named. Program and page take turns. Beside the time that
passes stands the processors' time of all processes, which other work on the machine changes less.
"""
import functools
import gzip
import http.server
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser
from lab import Quiet, wavy_ball

SIZE = (1280, 720)
ROUNDS = 3
SETTLE_S = 20  # in the first seconds the browser compiles the page's functions once more, optimized, beside its frames
STRESS = "set stress.bodies={}"


def median(values):
    return sorted(values)[len(values) // 2]


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*command):
    """Seconds that pass, and those of the processors."""
    start, used = time.monotonic(), children_s()
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return time.monotonic() - start, children_s() - used


def processors_s(root):
    """Of a running process and all below it."""
    parents, times = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(entry.name)] = int(fields[1])
        times[int(entry.name)] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    total = 0
    for process in times:
        at = process
        while at in parents and at != root:
            at = parents[at]
        total += times[process] if at == root else 0
    return total


def per_frame_ms(*command):
    """Of a run of many frames, less one of few: what passes, and the processors' time."""
    many, few = timed(*command, "--frames", 140), timed(*command, "--frames", 20)
    return [1000 * (a - b) / 120 for a, b in zip(many, few)]


def native_frame_ms(program, scene, setup):
    """In a window, with panels, as the page draws it."""
    return per_frame_ms("xvfb-run", "-a", "-s", f"-screen 0 {SIZE[0]}x{SIZE[1]}x24", program, "--scene", scene, "--run", setup,
                        "--size", "x".join(map(str, SIZE)))


def page_frame_ms(browser, page, count=60):
    used = processors_s(browser.process.pid)
    took = page.evaluate(f"""new Promise((resolve) => {{ let n = 0; const t = performance.now();
        bvlab.on('frame', () => {{ if (++n === {count}) resolve((performance.now() - t) / {count}); }}); }})""", 300)
    return [took, 1000 * (processors_s(browser.process.pid) - used) / count]


# Before the page's own script: how long each frame holds the page up.
TIMED_FRAMES = """window.longest = 0; const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (call) => ask((now) => {
  const start = performance.now();
  call(now);
  window.longest = Math.max(window.longest, performance.now() - start);
});"""


def longest_frame_ms(page, scene):
    """Of the scene's first frames and of those in which its jobs work."""
    page.evaluate(f"window.longest = 0; bvlab.run('scene {scene}')")
    page.wait_for(f"bvlab.report().scene === '{scene}'", 120)
    page.evaluate("window.from = bvlab.frames()")
    page.wait_for("bvlab.frames() > window.from + 20 && !bvlab.busy()", 300)
    return page.evaluate("window.longest")


def ratio(page, native):
    return f"{page / native:.2f}"


class Measurement:
    def __init__(self, folder, program, browser, address):
        self.folder, self.program, self.browser, self.address = folder, program, browser, address

    def size(self):
        packed = sum(len(gzip.compress((self.folder / name).read_bytes(), 9)) for name in ("bvlab.wasm", "bvlab.js", "page.js"))
        print(f"wasm and scripts, gzip -9      {packed / 1e6:8.2f} MB   at most 2.5")
        print(f"one-file page                  {(self.folder / 'bvlab.html').stat().st_size / 1e6:8.2f} MB   at most 6")

    def start(self):
        warm = self.browser.open(self.address, *SIZE)  # the disk
        warm.wait_for("window.bvlab && bvlab.frames() > 0", 120)
        warm.close()  # a page that stays open goes on drawing
        page_ms, native_ms = [], []
        for _ in range(ROUNDS):
            page = self.browser.open("about:blank", *SIZE)
            page.go(self.address)
            page.wait_for("window.bvlab && bvlab.frames() > 0", 120)
            page_ms.append(page.evaluate("bvlab.firstFrameMs"))
            page.close()
            native_ms.append(1000 * timed("xvfb-run", "-a", "-s", f"-screen 0 {SIZE[0]}x{SIZE[1]}x24", self.program, "--frames", 1,
                                          "--size", "x".join(map(str, SIZE)))[0] - 1000 * timed("xvfb-run", "-a", "true")[0])
        print(f"first picture of welcome       {median(page_ms):8.0f} ms   native {median(native_ms):.0f}, ratio "
              f"{ratio(median(page_ms), median(native_ms))}; at most 3000 ms and 2")

    def frames(self):
        for scene, setup in (("welcome", "set world.seed=7"), ("stress", STRESS.format(1000))):
            page = self.browser.open(f"{self.address}#scene={scene}&run={setup.replace(' ', '%20')}", *SIZE)
            page.wait_for("window.bvlab && bvlab.frames() > 10 && !bvlab.busy()", 120)
            time.sleep(SETTLE_S)
            rows = []
            for _ in range(ROUNDS):
                native = native_frame_ms(self.program, scene, setup)
                rows.append((page_frame_ms(self.browser, page), native))
            memory = page.evaluate("bvlab.memoryBytes()") / 1e6
            page.close()
            passed, used = ([[row[side][which] for row in rows] for side in (0, 1)] for which in (0, 1))
            print(f"a frame of {scene:<16}    {median(passed[0]):8.1f} ms   native {median(passed[1]):.1f}, ratio "
                  f"{ratio(median(passed[0]), median(passed[1]))}; processors {median(used[0]):.1f} and {median(used[1]):.1f}, ratio "
                  f"{ratio(median(used[0]), median(used[1]))}; at most 2; memory {memory:.0f} MB, at most 200")

    def longest(self):
        scenes = [line.split()[0] for line in
                  subprocess.run([self.program, "--list-scenes"], capture_output=True, text=True).stdout.splitlines()]
        page = self.browser.open("about:blank", *SIZE)
        page.send("Page.addScriptToEvaluateOnNewDocument", {"source": TIMED_FRAMES})
        page.go(f"{self.address}#scene=welcome")
        page.wait_for("window.bvlab && bvlab.frames() > 3", 120)
        longest = {scene: min(longest_frame_ms(page, scene) for _ in range(2)) for scene in scenes}
        page.close()
        slow = sorted((ms, scene) for scene, ms in longest.items() if ms > 100.0)
        print(f"longest frame, better of two   {max(longest.values()):8.0f} ms   at most 100; {len(longest) - len(slow)} of "
              f"{len(longest)} scenes within, " + ", ".join(f"{scene} {ms:.0f}" for ms, scene in reversed(slow)))

    def mesh(self):
        rings = 500
        page = self.browser.open("about:blank", *SIZE)
        page.send("Page.addScriptToEvaluateOnNewDocument", {"source": TIMED_FRAMES})
        longest, took = [], []
        with tempfile.TemporaryDirectory(prefix="bvlab-measure-") as scratch:
            path = pathlib.Path(scratch) / "ball.obj"
            path.write_text(wavy_ball(rings))
            for _ in range(2):
                page.go("about:blank")
                page.go(f"{self.address}#scene=welcome")
                page.wait_for("window.bvlab && bvlab.frames() > 3 && !bvlab.busy()", 120)
                time.sleep(2)
                page.evaluate("window.longest = 0")
                start = time.monotonic()
                page.choose_files(lambda: page.key("o", "KeyO", 2), [path])
                page.wait_for("bvlab.report().scene === 'mesh' && !bvlab.busy()", 300)
                took.append(time.monotonic() - start)
                longest.append(page.evaluate("window.longest"))
        page.close()
        print(f"longest frame, better of two   {min(longest):8.0f} ms   at most 100; while a mesh of {4 * rings * rings:,} triangles "
              f"({path.suffix}) opens, which takes {min(took):.1f} s")

    def step(self):
        setup = STRESS.format(10000)
        runner = pathlib.Path(__file__).with_name("node.cjs")
        with tempfile.TemporaryDirectory(prefix="bvlab-measure-") as scratch:
            report = pathlib.Path(scratch) / "node.json"
            pairs = [(per_frame_ms("node", runner, self.folder, report, "--scene", "stress", "--run", setup)[1],
                      per_frame_ms(self.program, "--headless", "--scene", "stress", "--run", setup)[1]) for _ in range(ROUNDS)]
        node, native = median([a for a, _ in pairs]), median([b for _, b in pairs])
        print(f"stress, 10,000 bodies, a step  {node:8.2f} ms   native {native:.2f}, ratio {ratio(node, native)} of the processors' "
              "time; at most 3 (AVX2)")


def main():
    folder, program, rows = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:] or ["size", "start", "frames", "step", "longest", "mesh"]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser:
        measurement = Measurement(folder, program, browser, f"http://127.0.0.1:{server.server_address[1]}/index.html")
        for row in rows:
            getattr(measurement, row)()
            sys.stdout.flush()
    print(f"beside it: {os.getloadavg()[0]:.1f} processes on {os.cpu_count()} cores in the last minute")
    server.shutdown()


if __name__ == "__main__":
    main()
