"""measure.py BUILD/web BVLAB: what the page costs, beside the program on the same machine in the same run."""
import functools
import gzip
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser
from test_page import Quiet

SIZE = (1280, 720)


def median(values):
    return sorted(values)[len(values) // 2]


def native_frame_ms(program, scene, setup, scratch):
    """Of a frame with its picture, and of the step alone: two lengths of a clip, and of a run, tell both."""
    def seconds(frames, *more):
        start = time.monotonic()
        subprocess.run([program, "--headless", "--scene", scene, "--run", setup, "--frames", str(frames), "--size",
                        "x".join(map(str, SIZE)), *more], check=True, capture_output=True)
        return time.monotonic() - start
    report = scratch / "native.json"
    subprocess.run([program, "--headless", "--ui", "on", "--scene", scene, "--run", setup, "--frames", "60", "--size",
                    "x".join(map(str, SIZE)), "--screenshot", str(scratch / "x.png"), "--report", str(report)],
                   check=True, capture_output=True)
    times = json.loads(report.read_text())["timings_ms"]
    step = 1000 * (median([seconds(200) for _ in range(3)]) - median([seconds(20) for _ in range(3)])) / 180
    return step, times["viz"] + times["render"]


def page_frame_ms(page):
    """A frame of the page as it is shown."""
    page.evaluate("""new Promise((resolve) => { let n = 0, t = performance.now();
        bvlab.on('frame', () => { if (++n === 30) { window.perFrame = (performance.now() - t) / 30; resolve(1); } }); })""", 120)
    return page.evaluate("window.perFrame")


# Before the page's own script: how long each frame holds the page up.
TIMED_FRAMES = """window.longest = 0; const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (call) => ask((now) => {
  const start = performance.now();
  call(now);
  window.longest = Math.max(window.longest, performance.now() - start);
});"""


def longest_frame_ms(browser, address, scene):
    """Of the scene's first frames and of those in which its jobs work."""
    page = browser.open("about:blank", *SIZE)
    page.send("Page.addScriptToEvaluateOnNewDocument", {"source": TIMED_FRAMES})
    page.go(f"{address}#scene=welcome")
    page.wait_for("window.bvlab && bvlab.frames() > 3", 120)
    page.evaluate(f"window.longest = 0; bvlab.run('scene {scene}')")
    page.wait_for(f"bvlab.report().scene === '{scene}'", 120)
    page.evaluate("window.from = bvlab.frames()")
    page.wait_for("bvlab.frames() > window.from + 20 && !bvlab.busy()", 300)
    longest = page.evaluate("window.longest")
    page.close()
    return longest


def node_step_ms(folder, scene, setup, scratch):
    runner = pathlib.Path(__file__).with_name("node.cjs")

    def seconds(frames):
        start = time.monotonic()
        subprocess.run(["node", runner, folder, scratch / "node.json", "--scene", scene, "--run", setup, "--frames",
                        str(frames)], check=True, capture_output=True)
        return time.monotonic() - start
    return 1000 * (median([seconds(200) for _ in range(3)]) - median([seconds(20) for _ in range(3)])) / 180


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    packed = sum(len(gzip.compress((folder / name).read_bytes(), 9)) for name in ("bvlab.wasm", "bvlab.js", "page.js"))
    print(f"wasm and scripts, gzip -9       {packed / 1e6:8.2f} MB   at most 2.5")
    print(f"one-file page                   {(folder / 'bvlab.html').stat().st_size / 1e6:8.2f} MB   at most 6")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/index.html"
    with tempfile.TemporaryDirectory(prefix="bvlab-measure-") as name, Browser() as browser:
        scratch = pathlib.Path(name)
        browser.open(address, *SIZE).wait_for("window.bvlab && bvlab.frames() > 0", 120)  # warms the disk
        starts = []
        for _ in range(3):
            page = browser.open("about:blank", *SIZE)
            page.send("Page.navigate", {"url": address})
            page.wait_for("window.bvlab && bvlab.frames() > 0", 120)
            starts.append(page.evaluate("bvlab.firstFrameMs"))
            page.close()
        native = []
        for _ in range(3):
            begin = time.monotonic()
            subprocess.run([program, "--headless", "--ui", "on", "--frames", "1", "--size", "x".join(map(str, SIZE)),
                            "--screenshot", str(scratch / "x.png")], check=True, capture_output=True)
            native.append(1000 * (time.monotonic() - begin))
        print(f"first picture of welcome        {median(starts):8.0f} ms   native {median(native):.0f} ms, ratio "
              f"{median(starts) / median(native):.2f}, at most 3000 ms and 2")
        for scene, setup in (("welcome", "set world.seed=7"), ("stress", "set stress.bodies=1000")):
            step, picture = native_frame_ms(program, scene, setup, scratch)
            page = browser.open(f"{address}#scene={scene}&run={setup.replace(' ', '%20')}", *SIZE)
            page.wait_for("window.bvlab && bvlab.frames() > 10", 120)
            shown = page_frame_ms(page)
            memory = page.evaluate("bvlab.memoryBytes()") / 1e6
            page.close()
            print(f"a frame of {scene:<20} {shown:8.1f} ms   native {step + picture:.1f} ms (step {step:.2f}, picture "
                  f"{picture:.1f}), ratio {shown / (step + picture):.2f}, at most 2; memory {memory:.0f} MB")
        scenes = [line.split()[0] for line in
                  subprocess.run([program, "--list-scenes"], capture_output=True, text=True).stdout.splitlines()]
        longest = {scene: longest_frame_ms(browser, address, scene) for scene in scenes}
        slow = sorted((ms, scene) for scene, ms in longest.items() if ms > 100.0)
        print(f"longest frame                   {max(longest.values()):8.0f} ms   at most 100; {len(longest) - len(slow)} of "
              f"{len(longest)} scenes within, " + ", ".join(f"{scene} {ms:.0f}" for ms, scene in reversed(slow)))
        setup = "set stress.bodies=10000"
        node, (native_step, _) = node_step_ms(folder, "stress", setup, scratch), \
            native_frame_ms(program, "stress", setup, scratch)
        print(f"stress, 10,000 bodies, a step   {node:8.2f} ms   native {native_step:.2f} ms, ratio "
              f"{node / native_step:.2f}, at most 3 (AVX2)")
    server.shutdown()


if __name__ == "__main__":
    main()
