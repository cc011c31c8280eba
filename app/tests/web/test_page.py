"""test_page.py BUILD/web BVLAB [NAME...]: the page in a real headless Chromium.

Every scene is opened and compared with the picture that the program draws without a window; the rest is what a
user does with mouse, keys and links. Prints a line for each test; the exit status says whether all passed.
"""
import base64
import concurrent.futures
import contextlib
import functools
import http.server
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import zlib

from browser import Browser, Failure

ROOT = pathlib.Path(__file__).parents[3]
WIDTH, HEIGHT = 960, 540
TESTS = []
# Columns of tables, by scene, that differ by the size of a pointer: memory.
OF_THE_MACHINE = {"broadphases": [5]}


def test(call):
    TESTS.append(call)
    return call


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


def frames(page, count=3):
    """Some more frames, and then the jobs that were begun."""
    page.wait_for(f"bvlab.frames() >= {page.evaluate('bvlab.frames()') + count} && !bvlab.busy()", 120)


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


@test
def every_scene_draws_what_the_program_draws(lab):
    wrong = []
    for scene in lab.scenes():
        picture = lab.scratch / f"{scene}.png"
        lab.native("--scene", scene, "--seed", "7", "--run", "pause; camera.frame all", "--frames", "2", "--size",
                   f"{WIDTH}x{HEIGHT}", "--ui", "on", "--set", "ui.panels=false", "--screenshot", str(picture))
        # By itself the page would choose the quality of a window without a GPU, and the program one of pictures.
        with lab.page(f"#scene={scene}&seed=7&set=ui.panels=false&set=ui.quality=best&run=pause") as page:
            frames(page)
            # Both frame what is there now: the program's jobs had ended before the scene was framed.
            page.evaluate("bvlab.run('camera.frame all')")
            frames(page)
            shown = page.picture()
        of_page = lab.scratch / f"{scene}-page.png"
        of_page.write_bytes(shown)
        mean, far = distance(picture, of_page)
        print(f"    {scene:<16} mean {mean:.2f}, far {100 * far:.2f} %", flush=True)
        if mean > 1.5 or far > 0.01:
            wrong.append(scene)
    assert not wrong, f"differ: {wrong}"


@test
def the_one_file_page_works_from_a_disk(lab):
    page = lab.browser.open((lab.folder / "bvlab.html").resolve().as_uri() + "#scene=obb-sat&run=pause", WIDTH, HEIGHT)
    try:
        page.wait_for("window.bvlab && bvlab.frames() > 2", 60)
        assert page.evaluate("bvlab.report().scene") == "obb-sat"
        assert not page.complaints, page.complaints
        assert len([r for r in page.requests if not r.startswith("data:")]) == 1, page.requests
    finally:
        page.close()


@test
def the_mouse_turns_the_camera_and_the_wheel_zooms(lab):
    with lab.page("#scene=welcome&seed=7&run=pause") as page:
        frames(page)
        before = page.evaluate("bvlab.report().camera")
        page.drag((480, 200), (580, 230))
        frames(page)
        turned = page.evaluate("bvlab.report().camera")
        assert turned["yaw_rad"] != before["yaw_rad"] and turned["pitch_rad"] != before["pitch_rad"]
        page.mouse("mouseWheel", 480, 200, deltaX=0, deltaY=-200)
        frames(page)
        assert page.evaluate("bvlab.report().camera")["distance"] < turned["distance"]


@test
def one_finger_turns_and_two_pan_and_pinch(lab):
    with lab.page("#scene=welcome&seed=7&run=pause", touch=True) as page:
        frames(page)

        before = page.evaluate("bvlab.report().camera")
        touches(page, "touchStart", (450, 200))
        for i in range(1, 8):
            touches(page, "touchMove", (450 + 12 * i, 200))
        touches(page, "touchEnd")
        frames(page)
        turned = page.evaluate("bvlab.report().camera")
        assert turned["yaw_rad"] != before["yaw_rad"] and turned["target"] == before["target"]
        touches(page, "touchStart", (450, 200))
        touches(page, "touchStart", (450, 200), (500, 200))
        for i in range(1, 8):
            touches(page, "touchMove", (450 - 4 * i, 200 + 5 * i), (500 + 4 * i, 200 + 5 * i))
        touches(page, "touchEnd")
        frames(page)
        moved = page.evaluate("bvlab.report().camera")
        assert moved["distance"] < turned["distance"] and moved["target"] != turned["target"]
        assert moved["yaw_rad"] == turned["yaw_rad"]
        # A long press opens the menu.
        # Of the bodies in the free part of the view.
        x, y = next(at for at in page.evaluate("bvlab.report().body_list.map((body) => body.window_px)")
                    if at and 340 < at[0] < 620 and 150 < at[1] < 400)
        assert page.evaluate("!Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))")
        touches(page, "touchStart", (x, y))
        page.wait_for("Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))", 20)
        touches(page, "touchEnd")
        frames(page)
        assert page.evaluate("Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))"), "it stays"
        assert page.evaluate("bvlab.report().camera") == moved


@test
def a_double_tap_sets_the_orbit_center(lab):
    with lab.page("#scene=welcome&seed=7&run=pause", touch=True) as page:
        frames(page)
        x, y = next(at for at in page.evaluate("bvlab.report().body_list.map((body) => body.window_px)")
                    if at and 340 < at[0] < 620 and 150 < at[1] < 400)
        before = page.evaluate("bvlab.report().camera")
        start = time.time() - 0.4
        for i, at in enumerate(((x - 4, y), (x + 5, y + 4))):  # no finger meets a place twice
            touches(page, "touchStart", at, time_s=start + 0.2 * i)
            touches(page, "touchEnd", time_s=start + 0.2 * i + 0.1)
        frames(page)
        after = page.evaluate("bvlab.report().camera")
        assert after["target"] != before["target"] and after["yaw_rad"] == before["yaw_rad"], after
        nearest = page.evaluate("Math.min(...bvlab.report().body_list.map((body) => Math.hypot("
                                "body.window_px[0] - %d, body.window_px[1] - %d)))" % (x, y))
        assert nearest < 60, f"what was tapped stays near: {nearest}"


@test
def an_embedded_page_shows_the_view_and_the_knobs_of_the_scene(lab):
    with lab.page("?embed#scene=obb-sat&run=pause", width=640, height=360) as page:
        frames(page)
        widgets = page.evaluate("bvlab.report().widgets")
        assert "sat.axis" in widgets and "time.pause" in widgets, list(widgets)
        assert not any(name.startswith(("menu.", "sheet.", "scene.search")) for name in widgets), list(widgets)
        assert page.evaluate("document.getElementById('whole').getBoundingClientRect().top >= "
                             "document.getElementById('canvas').getBoundingClientRect().bottom"), "the link covers the canvas"
        assert page.evaluate("document.getElementById('whole').href") == lab.address + "index.html#scene=obb-sat&run=pause"
    with lab.page("?lang=en&embed#scene=obb-sat", width=640, height=360) as page:
        assert page.evaluate("document.getElementById('whole').href") == lab.address + "index.html?lang=en#scene=obb-sat"


@test
def a_page_around_the_lab_keeps_its_keyboard_and_may_speak_early(lab):
    page = lab.browser.open(lab.address + "example.html", 1000, 900)  # the lab itself allows no frames
    try:
        page.wait_for("document.getElementById('boxes') !== null")
        page.evaluate("""document.body.innerHTML = '<input id="own"><iframe id="inside" width="640" height="360"></iframe>';
            document.getElementById('own').focus();
            document.getElementById('inside').addEventListener('load', () =>
                document.getElementById('inside').contentWindow.bvlab?.run('set sat.axis=7'));
            document.getElementById('inside').src = 'index.html?embed#scene=obb-sat&run=pause'; undefined""")
        inside = "document.getElementById('inside').contentWindow.bvlab"
        page.wait_for(f"{inside} && {inside}.frames() > 3", 60)
        assert page.evaluate("document.activeElement.id") == "own"
        assert page.evaluate(f"{inside}.report().tables.obb_sat.chosen") == [6], "the seventh axis, wanted before the first frame"
        for wrong in ("on('constructor', () => {})", "on('nosuch', () => {})", "on('frame', 3)"):
            assert page.evaluate(f"(() => {{ try {{ {inside}.{wrong}; return false; }} catch {{ return true; }} }})()"), wrong
        page.evaluate(f"{inside}.opens('x'.repeat(3e6) + '.obj')")
        before = page.evaluate(f"{inside}.frames()")
        page.wait_for(f"{inside}.frames() > {before}")
    finally:
        page.close()


@test
def pages_keep_what_others_prefer(lab):
    leave = "window.dispatchEvent(new Event('pagehide')); undefined"
    with lab.page("#scene=gjk") as one, lab.page("#scene=gjk") as other:
        one.evaluate("localStorage.removeItem('bvlab.preferences')")
        for page, setting in ((one, "ui.theme=light"), (other, "ui.legend=false")):
            page.send("Page.bringToFront")  # a page behind another one draws no frames
            page.evaluate(f"bvlab.run('set {setting}')")
            frames(page)
            page.evaluate(leave)
        # What one process of the browser stores reaches the others a little later.
        one.wait_for("/ui.legend/.test(localStorage.getItem('bvlab.preferences'))")
        kept = json.loads(one.evaluate("localStorage.getItem('bvlab.preferences')"))
        assert kept.get("ui.theme") == "light" and str(kept.get("ui.legend")).lower() == "false", kept
        for page in (one, other):
            page.evaluate("window.writes = 0; Storage.prototype.setItem = () => { ++window.writes; }; undefined")
            page.evaluate(leave)
            assert page.evaluate("writes") == 0, "a page without news has nothing to store"
        one.evaluate("localStorage.removeItem('bvlab.preferences')")


@test
def keys_run_commands(lab):
    with lab.page("#scene=welcome&seed=7&run=pause") as page:
        frames(page)
        before = page.evaluate("bvlab.report().frame")
        page.key(".", "Period", text=".")
        frames(page)
        assert page.evaluate("bvlab.report().frame") > before


def appears(path, seconds=30):
    """The bytes of a download."""
    deadline = time.monotonic() + seconds
    while not path.is_file() or path.with_name(path.name + ".crdownload").exists():
        assert time.monotonic() < deadline, f"{path.name} was not downloaded"
        time.sleep(0.05)
    return path.read_bytes()


@test
def keys_of_the_browser_are_left_to_it_and_others_take_their_place(lab):
    folder = lab.scratch / "keys"
    folder.mkdir()
    with lab.page("#scene=welcome&run=pause") as page:
        frames(page)
        page.download_to(folder)
        page.evaluate("""window.prevented = {}; window.addEventListener('keydown', (e) => {
            window.prevented[(e.ctrlKey ? 'Ctrl+' : '') + (e.shiftKey ? 'Shift+' : '') + e.key] = e.defaultPrevented; });""")
        page.evaluate("bvlab.on('ended', () => { window.hasEnded = true; })")
        for key, code, mods in (("F12", "F12", 0), ("F11", "F11", 0), ("F5", "F5", 0), ("q", "KeyQ", 2), ("T", "KeyT", 10),
                                ("f", "KeyF", 2), ("F6", "F6", 0), ("ArrowLeft", "ArrowLeft", 1)):
            page.evaluate("window.addEventListener('keydown', (e) => e.preventDefault(), { once: true })")  # this browser's own effect
            page.key(key, code, mods)
        frames(page)
        # A listener before that one has seen whether the page took it.
        assert page.evaluate("prevented") == dict.fromkeys(("F12", "F11", "F5", "Ctrl+q", "Ctrl+Shift+T", "Ctrl+f", "F6",
                                                             "ArrowLeft"), False)
        assert not list(folder.iterdir()) and not page.evaluate("window.hasEnded")
        for key, code, mods in (("F1", "F1", 0), ("F9", "F9", 0), ("F9", "F9", 8), ("p", "KeyP", 2), ("Escape", "Escape", 0)):
            page.key(key, code, mods)
            frames(page)
        taken = page.evaluate("prevented")
        assert all(taken[name] for name in ("F1", "F9", "Shift+F9", "Ctrl+p", "Escape")), taken
        assert appears(folder / "bvlab.png")[:8] == b"\x89PNG\r\n\x1a\n"
        assert json.loads(appears(folder / "bvlab.json"))["scene"] == "welcome"


@test
def the_menu_fills_the_screen_and_opens_the_site(lab):
    with lab.page("#scene=welcome&run=pause", width=1280, height=720) as page:
        frames(page)
        widgets = page.evaluate("bvlab.report().widgets")
        assert "menu.Help" in widgets, list(widgets)
        click_widget(page, "menu.File")
        rows = page.evaluate("Object.keys(bvlab.report().widgets)")
        assert "menu.open " in rows and "menu.quit" not in rows and "menu.listen" not in rows, rows
        page.key("Escape", "Escape")
        frames(page)
        click_widget(page, "menu.View")
        click_widget(page, "menu.fullscreen")
        page.wait_for("document.fullscreenElement !== null")
        page.wait_for("document.getElementById('canvas').width === window.innerWidth")
        page.evaluate("document.exitFullscreen()")
        page.wait_for("document.fullscreenElement === null")
        frames(page)
        page.evaluate("window.open = (address) => { window.opened = address; return window; }")
        click_widget(page, "menu.Help")
        click_widget(page, "menu.site")
        assert page.wait_for("window.opened") == "site/index.html"


@test
def a_link_that_is_wrong_says_so(lab):
    page = lab.browser.open(lab.address + "index.html#scene=nowhere", WIDTH, HEIGHT)
    try:
        page.wait_for("!document.getElementById('start').hidden && /could not start/.test(document.body.innerText)", 60)
        assert "nowhere" in page.evaluate("document.getElementById('state').textContent")
    finally:
        page.close()


@test
def reports_under_node_are_those_of_the_program(lab):
    runner = pathlib.Path(__file__).with_name("node.cjs")

    def difference_of(case):
        scene, seed = case
        options = ["--scene", scene, "--seed", seed, "--frames", "300"]
        native, node = (lab.scratch / f"{scene}-{seed}-{kind}.json" for kind in ("native", "node"))
        lab.native(*options, "--report", str(native))
        subprocess.run(["node", runner, lab.folder, node, *options], check=True, capture_output=True, timeout=300)
        difference = same_report(json.loads(native.read_text()), json.loads(node.read_text()))
        return difference and f"{scene}, seed {seed}: {difference}"

    cases = [(scene, seed) for scene in lab.scenes() for seed in ("7", "8", "9")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = [difference for difference in pool.map(difference_of, cases) if difference]
    for difference in differences:
        print(f"    {difference}", flush=True)
    assert not differences, f"differ: {differences}"


@test
def a_report_of_the_page_is_that_of_the_program(lab):
    for scene in ("welcome", "ray-picking", "aabb-tree"):
        # By itself the page would choose the quality of a window without a GPU, and the program one of pictures.
        with lab.page(f"#scene={scene}&seed=7&set=ui.panels=false&set=ui.quality=best&run=pause") as page:
            frames(page, 1)
            page.evaluate("bvlab.run('step 300')")
            frames(page, 2)
            shown = page.evaluate("bvlab.report()", 120)
        report = lab.scratch / f"{scene}.json"
        lab.native("--scene", scene, "--seed", "7", "--run", "pause; step 300", "--frames", "3", "--size",
                   f"{WIDTH}x{HEIGHT}", "--report", str(report))
        shown.pop("frame")  # the page has shown some more, at rest
        native = json.loads(report.read_text())
        native.pop("frame")
        difference = same_report(native, shown)
        assert not difference, f"{scene}: {difference}"


@test
def a_copied_link_opens_in_the_page_and_in_the_program(lab):
    with lab.page("#scene=welcome&seed=5") as page:
        frames(page, 3)
        page.evaluate("bvlab.run('spawn 2 torus; camera.orbit 25 10')")
        frames(page, 3)
        page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
        page.evaluate("bvlab.run('pause')")
        frames(page, 2)
        page.evaluate("bvlab.run('link.copy')")
        link = page.wait_for("window.copied")
        shown = page.evaluate("bvlab.report()")
    assert link.startswith(lab.address) and "#saved=" in link, link[:80]
    with lab.page(link[link.index("#"):]) as page:
        frames(page, 2)
        again = page.evaluate("bvlab.report()")
    for report in (shown, again):
        report.pop("frame")
    assert not (difference := same_report(shown, again)), f"page: {difference}"
    report = lab.scratch / "link.json"
    lab.native(link, "--frames", "1", "--size", f"{WIDTH}x{HEIGHT}", "--ui", "on", "--report", str(report))
    native = json.loads(report.read_text())
    native.pop("frame")
    assert not (difference := same_report(shown, native)), f"program: {difference}"


@test
def a_link_copied_in_a_lesson_opens_the_lesson(lab):
    with lab.page("#lesson=ray-box&page=2", width=1280, height=720) as page:
        frames(page, 3)
        page.evaluate("bvlab.run('scene.drag aim 2 3 1; camera.orbit 10 5')")
        frames(page, 3)
        page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
        page.evaluate("bvlab.run('link.copy')")
        link = page.wait_for("window.copied")
        handles = page.evaluate("bvlab.report().handles")
    assert "&lesson=ray-box&page=2" in link, link[-80:]
    with lab.page(link[link.index("#"):], width=1280, height=720) as page:
        frames(page, 2)
        assert page.wait_for("'lesson.next' in bvlab.report().widgets")
        assert page.evaluate("bvlab.report().handles") == handles
        click_widget(page, "lesson.next")
        click_widget(page, "lesson.show")
        page.wait_for("'lesson.done' in bvlab.report().widgets", 20)


@test
def what_the_browser_refuses_is_said(lab):
    with lab.page("#scene=welcome&run=pause", clean=False) as page:
        frames(page)
        page.evaluate("window.said = []; bvlab.on('message', (line) => window.said.push(line)); undefined")
        page.evaluate("bvlab.run('fullscreen')")  # without a click before it
        page.wait_for("window.said.some((line) => line.includes('fills the screen only after a click'))")
        # The older command of browsers is tried, too.
        page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
        page.evaluate("document.execCommand = (name) => { window.tried = name; return false; }")
        page.evaluate("bvlab.run('link.copy')")
        page.wait_for("window.said.some((line) => line.includes('does not let this page copy'))")
        assert page.evaluate("window.tried") == "copy"
        assert "#saved=" in page.evaluate("window.location.href")
        page.evaluate("document.execCommand = () => window.copied = true")
        page.evaluate("bvlab.run('link.copy')")
        page.wait_for("window.copied")
        frames(page)
        refusals = page.evaluate("window.said.filter((line) => line.includes('does not let this page copy')).length")
        assert refusals == 1, refusals


@test
def a_link_of_a_stranger_touches_no_file(lab):
    page = lab.browser.open(lab.address + "index.html#run=save%20x.json", WIDTH, HEIGHT)
    try:
        page.wait_for("/read or write files/.test(document.getElementById('state').textContent)", 60)
    finally:
        page.close()


CORNER_OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@test
def a_dropped_mesh_is_opened_and_a_saved_scene_is_downloaded(lab):
    with lab.page("#scene=welcome&run=pause") as page:
        frames(page)
        page.evaluate("""(() => {
            const data = new DataTransfer();
            data.items.add(new File([%s], 'corner.obj'));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
        })()""" % json.dumps(CORNER_OBJ))
        page.wait_for("bvlab.report().scene === 'mesh'", 20)
        assert page.evaluate("bvlab.report().errors.length") == 0
        # Saved and given files lie beside each other on the user's disk, too.
        page.download_to(lab.scratch)
        page.evaluate("bvlab.run('spawn 3 corner; save beside.json')")
        appears(lab.scratch / "beside.json")
        shown = page.evaluate("bvlab.report()")
        page.evaluate("bvlab.run('scene stress; open beside.json')")
        page.wait_for("bvlab.report().scene === 'mesh' && !bvlab.busy()", 20)
        assert page.evaluate("bvlab.report().bodies") == shown["bodies"]
    (lab.scratch / "corner.obj").write_text(CORNER_OBJ)
    lab.native(str(lab.scratch / "beside.json"), "--frames", "2", "--size", f"{WIDTH}x{HEIGHT}", "--report",
               str(lab.scratch / "beside-report.json"))
    native = json.loads((lab.scratch / "beside-report.json").read_text())
    assert (native["scene"], native["bodies"]) == ("mesh", shown["bodies"]), (native["scene"], native["bodies"])
    with lab.page("#scene=welcome&seed=3") as page:
        frames(page, 5)
        page.evaluate("bvlab.run('spawn 2 torus; pause')")
        frames(page)
        page.download_to(lab.scratch)
        page.evaluate("bvlab.run('save mine.json; record.save mine.bvrec; screenshot mine.png; report mine-report.json')")
        for name in ("mine.json", "mine.bvrec", "mine.png", "mine-report.json"):
            appears(lab.scratch / name)
        shown = page.evaluate("bvlab.report()")
    lab.native(str(lab.scratch / "mine.json"), "--frames", "1", "--size", f"{WIDTH}x{HEIGHT}", "--report",
               str(lab.scratch / "saved.json"))
    native = json.loads((lab.scratch / "saved.json").read_text())
    assert native["scene"] == "welcome" and native["bodies"] == shown["bodies"], (native["bodies"], shown["bodies"])
    places = [[body["position"] for body in report["body_list"]] for report in (native, shown)]
    assert places[0] == places[1]
    assert distance(lab.scratch / "mine.png", lab.scratch / "mine.png") == (0, 0)
    assert json.loads((lab.scratch / "mine-report.json").read_text())["bodies"] == shown["bodies"]
    lab.native(str(lab.scratch / "mine.bvrec"), "--frames", "3", "--report", str(lab.scratch / "played.json"))
    assert json.loads((lab.scratch / "played.json").read_text())["seed"] == shown["seed"] == 3


@test
def what_cannot_be_downloaded_is_not_written(lab):
    with lab.page("#scene=welcome&run=pause", clean=False) as page:
        frames(page)
        for path in ("/elsewhere.json", "/tmp/elsewhere.json", "/home/web_user/elsewhere.json", "no-folder/elsewhere.json"):
            page.evaluate(f"bvlab.run('save {path}')")
            page.wait_for(f"bvlab.report().errors.some((text) => text.startsWith('{path}'))", 20)
        page.download_to(lab.scratch)
        page.evaluate("bvlab.run('save here.json')")
        appears(lab.scratch / "here.json")


def box_obj():
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]


def files_of_every_kind(lab, folder):
    """A small file of each kind that the lab reads, and the scene that shows it."""
    points, triangles = box_obj()
    rows = ["%g %g %g" % p for p in points]
    (folder / "a.obj").write_text("".join(f"v {row}\n" for row in rows) + "".join("f %d %d %d\n" % (a + 1, b + 1, c + 1) for a, b, c in triangles))
    (folder / "b.off").write_text(f"OFF\n{len(points)} {len(triangles)} 0\n" + "\n".join(rows) + "\n"
                                  + "\n".join("3 %d %d %d" % t for t in triangles) + "\n")
    (folder / "c.ply").write_text(f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\n"
                                  f"property float z\nelement face {len(triangles)}\nproperty list uchar int vertex_indices\n"
                                  "end_header\n" + "\n".join(rows) + "\n" + "\n".join("3 %d %d %d" % t for t in triangles) + "\n")
    (folder / "d.stl").write_text("solid d\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % points[i] for i in t) + "endloop\nendfacet\n"
        for t in triangles) + "endsolid d\n")
    data = b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3H", *t) for t in triangles)
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3", "min": [0, 0, 0],
                            "max": [1, 1, 1]},
                           {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"}],
             "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 12 * len(points)},
                             {"buffer": 0, "byteOffset": 12 * len(points), "byteLength": 6 * len(triangles)}],
             "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    (folder / "e.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON")
                                   + text + struct.pack("<I4s", len(data), b"BIN\0") + data)
    scene["buffers"][0]["uri"] = "f.bin"
    (folder / "f.gltf").write_text(json.dumps(scene))
    (folder / "f.bin").write_bytes(data)
    (folder / "g.vox").write_bytes((ROOT / "assets/voxels/island.vox").read_bytes())
    (folder / "h.csv").write_text("0,0,0,1,1,1\n2,0,0,3,1,1\n")
    lab.native("--scene", "welcome", "--frames", "40", "--run", f"record.save {folder / 'k.bvrec'}")
    lab.native("--scene", "welcome", "--frames", "2", "--run",
               f"save.tree {folder / 'i.bvtree'}; save.boxes {folder / 'j.txt'}; save {folder / 'l.json'}")
    subprocess.run([sys.executable, ROOT / "core/include/bv/capture/write_bvcap.py", folder / "m.bvcap", "20"], check=True)
    return [(("a.obj",), "mesh"), (("b.off",), "mesh"), (("c.ply",), "mesh"), (("d.stl",), "mesh"), (("e.glb",), "mesh"),
            (("f.gltf", "f.bin"), "mesh"), (("g.vox",), "voxels"), (("h.csv",), "boxes"), (("i.bvtree",), "tree-file"),
            (("j.txt",), "boxes"), (("k.bvrec",), "welcome"), (("l.json",), "welcome"), (("m.bvcap",), "capture")]


@test
def files_of_every_kind_are_chosen_and_opened(lab):
    folder = lab.scratch / "files"
    folder.mkdir()
    with lab.page("#scene=stress&run=pause") as page:
        frames(page)
        for names, scene in files_of_every_kind(lab, folder):
            page.evaluate("bvlab.run('scene stress')")
            page.wait_for("bvlab.report().scene === 'stress'")
            page.choose_files(lambda: page.key("o", "KeyO", 2), [folder / name for name in names])
            page.wait_for(f"bvlab.report().scene === '{scene}' && !bvlab.busy()", 60)
            assert page.evaluate("bvlab.report().errors") == [], names


@test
def preferences_stay_and_broken_ones_are_kept_aside(lab):
    with lab.page("#scene=obb-sat&set=draw.grid=false") as page:
        page.evaluate("bvlab.run('set ui.theme=light')")
        frames(page)
        page.evaluate("window.dispatchEvent(new Event('pagehide'))")
        kept = json.loads(page.evaluate("localStorage.getItem('bvlab.preferences')"))
        assert kept.get("ui.theme") == "light" and "draw.grid" not in kept, kept
    with lab.page("#scene=obb-sat&set=ui.theme=dark") as page:
        page.evaluate("location.hash = '#set=draw.axes=false&run=toggle%20draw.grid'")
        frames(page)
        page.evaluate("window.dispatchEvent(new Event('pagehide'))")
        assert json.loads(page.evaluate("localStorage.getItem('bvlab.preferences')")) == kept, "a link changes none of them"
        # The page keeps its own once more when it is closed.
        page.evaluate("localStorage.setItem('bvlab.preferences', '{\"ui.theme\": '); Storage.prototype.setItem = () => {}")
    with lab.page("#scene=obb-sat", clean=False) as page:
        frames(page)
        assert any("preferences.json" in line for line in page.complaints), page.complaints
        page.evaluate("window.dispatchEvent(new Event('pagehide'))")
        assert page.evaluate("localStorage.getItem('bvlab.preferences.bad')") == '{"ui.theme": '
        page.evaluate("localStorage.clear()")


def packed(text):
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


@test
def hostile_links_cost_one_message(lab):
    links = ["sceen=welcome", "scene=a&scene=b", "scene=%zz", "scene=%4", "set=no.such=1", "set=world.seed=blue", "set=files.recent=/etc/passwd",
             "run=save%20x.json", "run=link%20%22%23run%3Dopen%2520%2Fetc%2Fpasswd.obj%22", "run=jump", "lesson=none", "page=-1",
             "saved=", "saved=AAAA", "saved=!!", "saved=" + packed(b"{}"), "saved=" + packed(b"\0" * 100_000_000),
             "saved=" + packed(b"[" * 3_000_000), "saved=" + packed(b'{"a":' * 500_000), "saved=" + "A" * 1_500_000,
             "scene=" + "x" * 1_500_000, "x" * 1_500_000, "&".join(f"set=x{i}=1" for i in range(50_000)), "\\", "scene=a\\%22;quit",
             "run=spawn%2099999999", "seed=99999999999999999999", "\u0001\u202e=1", "run=%00", "set=ui.scale=nan"]
    with lab.page("#scene=welcome&run=pause", clean=False) as page:
        frames(page)
        bodies = page.evaluate("bvlab.report().bodies")
        for link in links:
            page.evaluate("window.told = []")
            page.evaluate("window.listens || (window.listens = bvlab.on('message', (line) => window.told.push(line)), window.listens = true)")
            page.evaluate(f"location.hash = {json.dumps('#' + link)}")
            frames(page, 4)
            told = [line for line in page.evaluate("told") if "error" in line]
            # The same message again only counts up.
            is_repeated = len(link) > 100_000 or link.startswith("saved=")
            assert len(told) == 1 or is_repeated and not told, (link[:60], len(told), [line[:200] for line in told])
            assert all(len(line) < 1000 for line in told), (link[:60], max(map(len, told)))
            assert page.evaluate("bvlab.report().scene") == "welcome" and page.evaluate("bvlab.report().bodies") == bodies, link[:60]
    for link in links[:8] + ["saved=AAAA", "scene=" + "x" * 100_000]:
        page = lab.browser.open(lab.address + "index.html#" + link, WIDTH, HEIGHT)
        try:  # it says so on the first screen, or starts and says so there
            page.wait_for("/could not start/.test(document.getElementById('state').textContent) || bvlab.frames() > 3", 60)
        finally:
            page.close()


@test
def a_lost_context_comes_back(lab):
    with lab.page("#scene=obb-sat&seed=7&set=ui.panels=false&run=pause", clean=False) as page:
        frames(page)
        before, after = lab.scratch / "before.png", lab.scratch / "after.png"
        before.write_bytes(page.picture())
        page.evaluate("""window.loss = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
            loss.loseContext()""")
        frames(page)
        page.evaluate("loss.restoreContext()")
        frames(page, 5)
        after.write_bytes(page.picture())
        mean, _ = distance(before, after)
        assert mean < 0.5, f"the picture differs by {mean:.2f}"


def click_widget(page, name):
    page.click(*widget(page, name))
    frames(page)


def widget(page, name, ratio=1):
    at = page.wait_for(f"bvlab.report().widgets[{json.dumps(name)}]")
    return at[0] / ratio, at[1] / ratio


@test
def a_whole_lesson_is_done_with_the_mouse(lab):
    with lab.page("#lesson=ray-box", width=1280, height=720) as page:
        frames(page)
        assert page.evaluate("bvlab.report().scene") == "ray-aabb"
        for number in range(2, 5):
            click_widget(page, "lesson.next")
            assert not page.evaluate("'lesson.done' in bvlab.report().widgets"), number
            if number == 2:  # the task says: drag the aim up
                x, y = page.evaluate("bvlab.report().handles.aim")
                page.drag((x, y), (x, y - 180))
            else:
                click_widget(page, "lesson.show")
            page.wait_for("'lesson.done' in bvlab.report().widgets", 20)
        click_widget(page, "lesson.end")
        page.wait_for("'section.Scenes' in bvlab.report().widgets")


@test
def a_handle_is_dragged(lab):
    with lab.page("#scene=obb-sat&set=ui.panels=false&run=pause") as page:
        frames(page)
        before = page.evaluate("bvlab.report().handles")
        x, y = before["a"]
        page.drag((x, y), (x - 50, y - 20))
        frames(page)
        after = page.evaluate("bvlab.report().handles")
        assert abs(after["a"][0] - x + 50) < 3 and abs(after["a"][1] - y + 20) < 3, after
        assert after["b"] == before["b"]


def touches(page, kind, *points, time_s=None):
    # Posted, since a wait for each answer would make a swipe over a slow page a long press.
    page.post("Input.dispatchTouchEvent",
              {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)],
               "timestamp": time.time() if time_s is None else time_s})


def tap(page, name, ratio):
    # At once: a slow frame between would make it a long press.
    touches(page, "touchStart", widget(page, name, ratio))
    touches(page, "touchEnd")
    frames(page, 5)


@test
def a_phone_has_one_panel_at_a_time_and_a_keyboard(lab):
    for width, height, ratio in ((390, 844, 1), (360, 740, 1)):
        with lab.page("#scene=aabb-overlap&run=pause", width=width, height=height, ratio=ratio, touch=True) as page:
            frames(page)
            assert page.evaluate("!('section.Scenes' in bvlab.report().widgets)")
            tap(page, "sheet.scenes", ratio)
            x, y = widget(page, "scene.welcome", ratio)
            touches(page, "touchStart", (x, y))
            for i in range(1, 9):
                touches(page, "touchMove", (x, y - 10 * i))
                frames(page, 1)
            touches(page, "touchEnd")
            frames(page)
            moved = page.evaluate("bvlab.report().widgets['scene.welcome']")
            assert moved is None or moved[1] / ratio < y - 50, (y, moved)
            assert page.evaluate("bvlab.report().scene") == "aabb-overlap", "a drag chooses nothing"
            page.evaluate("bvlab.run('palette')")
            frames(page, 4)
            page.wait_for("document.activeElement.id === 'typing'")
            page.send("Input.insertText", {"text": "scene obb-sxt"})
            frames(page)
            for _ in range(2):
                page.evaluate("""(() => { const field = document.getElementById('typing');
                    field.value = field.value.slice(0, -1); field.dispatchEvent(new InputEvent('input')); })()""")
                frames(page, 4)
            page.send("Input.insertText", {"text": "at"})
            frames(page)
            page.key("Enter", "Enter")
            page.wait_for("bvlab.report().scene === 'obb-sat'")
            page.wait_for("document.activeElement.id === 'canvas'")
            tap(page, "sheet.settings", ratio)
            x, y = widget(page, "sat.axis", ratio)
            before = page.evaluate("bvlab.report().handles")
            touches(page, "touchStart", (x, y))
            for i in range(1, 9):
                touches(page, "touchMove", (x + 8 * i, y))
                frames(page, 1)
            touches(page, "touchEnd")
            frames(page)
            assert page.evaluate("bvlab.report().handles") == before, "the slider moved, not what is behind it"
            (lab.scratch / f"phone-{width}.png").write_bytes(page.picture())


@test
def a_tap_on_a_text_field_opens_the_keyboard_at_once(lab):
    with lab.page("#scene=aabb-overlap&run=pause&set=ui.sheet=scenes", width=390, height=844, touch=True) as page:
        frames(page)
        page.evaluate("""window.addEventListener('pointerup', () => { window.lifted = bvlab.frames(); }, true);
            document.getElementById('typing').addEventListener('focus', () => { window.focused = bvlab.frames(); })""")
        touches(page, "touchStart", widget(page, "scene.search"))
        page.wait_for("bvlab.textUnderPointer()")
        touches(page, "touchEnd")
        page.wait_for("window.focused")
        assert page.evaluate("focused === lifted"), "only within the touch do browsers show a keyboard"


@test
def a_page_of_text_embeds_three_scenes(lab):
    page = lab.browser.open(lab.address + "example.html", 1000, 900)
    try:
        for name, scene in (("boxes", "obb-sat"), ("ray", "ray-aabb"), ("tree", "aabb-tree")):
            page.wait_for(f"document.getElementById('{name}') && (document.getElementById('{name}').scrollIntoView(), true)")
            inside = f"document.getElementById('{name}').contentWindow.bvlab"
            page.wait_for(f"{inside} && {inside}.frames() > 2", 60)
            assert page.evaluate(f"{inside}.report().scene") == scene
            (lab.scratch / f"example-{name}.png").write_bytes(page.picture())
        boxes = "document.getElementById('boxes').contentWindow.bvlab"
        before = page.evaluate(f"{boxes}.report().tables")
        page.evaluate("document.getElementById('turn').click()")
        page.wait_for(f"JSON.stringify({boxes}.report().tables) !== {json.dumps(json.dumps(before, separators=(',', ':')))}", 20)
        page.wait_for("/boxes, [0-9]+ levels/.test(document.getElementById('answer').textContent)", 20)
        assert not page.complaints, page.complaints
        assert all(r.startswith((lab.address, "data:")) for r in page.requests), page.requests
    finally:
        page.close()


@test
def a_link_of_the_program_opens_in_the_page(lab):
    said = lab.native("--scene", "aabb-overlap", "--seed", "5", "--ui", "on", "--run",
                      "scene.drag a 1 1.2 0.3; pause; camera.orbit 20 5; link.copy", "--frames", "3", "--size",
                      f"{WIDTH}x{HEIGHT}", "--report", str(lab.scratch / "made.json"))
    link = next(word for line in said.splitlines() for word in line.split() if word.startswith("#"))
    with lab.page(link) as page:
        frames(page, 2)
        shown = page.evaluate("bvlab.report()")
    native = json.loads((lab.scratch / "made.json").read_text())
    for report in (native, shown):
        report.pop("frame")
    difference = same_report(native, shown)
    assert not difference, difference


@test
def captures_and_materials_are_dropped_as_on_the_desktop(lab):
    with lab.page("#scene=welcome&run=pause") as page:
        frames(page)
        names = ("a.bvcap", "a.jsonl", "a.OBJ", "a.bvtree", "a.mtl", "a.bin", "a.png")
        opened = page.evaluate(f"{json.dumps(names)}.map((name) => bvlab.opens(name))")
        assert opened == [True] * 4 + [False] * 3, opened


@test
def a_browser_without_what_it_takes_says_so_and_shows_a_picture(lab):
    missing = {"WebGL 2": "HTMLCanvasElement.prototype.getContext = () => null;", "WebAssembly": "delete window.WebAssembly;",
               "128-bit": "WebAssembly.validate = () => false;"}
    for name in ("index.html", "bvlab.html"):
        for what, script in missing.items():
            page = lab.browser.open("about:blank", WIDTH, HEIGHT)
            page.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            page.go(lab.address + name)
            try:
                text = page.wait_for("document.getElementById('state') && /Update it/.test(document.getElementById('state')"
                                     ".textContent) && document.getElementById('state').textContent", 20)
                assert what in text, text
                page.wait_for("(() => { const p = document.getElementById('picture');"
                              " return !p.hidden && p.complete && p.naturalWidth > 300; })()", 10)
            finally:
                page.close()


@test
def small_windows_and_dense_pixels_are_filled(lab):
    for width, height, ratio in ((800, 600, 1), (800, 600, 2), (640, 360, 2)):
        with lab.page("#scene=welcome&run=pause", width=width, height=height, ratio=ratio) as page:
            frames(page)
            size = page.evaluate("[document.getElementById('canvas').width, document.getElementById('canvas').height]")
            assert size == [width * ratio, height * ratio], size
            page.resize(width // 2, height, ratio)
            frames(page, 5)
            assert page.evaluate("document.getElementById('canvas').width") == width * ratio // 2


def main():
    folder, program, names = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    failed = []
    with tempfile.TemporaryDirectory(prefix="bvlab-page-") as scratch, served(folder) as address, Browser() as browser:
        lab = Lab(browser, address, folder, program, scratch)
        for call in TESTS:
            if names and not any(name in call.__name__ for name in names):
                continue
            print(f"{call.__name__}", flush=True)
            began = time.monotonic()
            try:
                call(lab)
                print(f"    ok, {time.monotonic() - began:.0f} s", flush=True)
            except (AssertionError, Failure, subprocess.SubprocessError) as problem:
                failed.append(call.__name__)
                print(f"    FAILED: {problem}", flush=True)
                if not isinstance(problem, (AssertionError, Failure)):
                    traceback.print_exc()
    if failed:
        sys.exit(f"{len(failed)} of the page's tests failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
