"""test_page.py BUILD/web BVLAB [NAME...]: the page in a real headless Chromium.

Every scene is opened and compared with the picture that the program draws without a window; the rest is what a
user does with mouse, keys and links. Prints a line for each test; the exit status says whether all passed.
"""
import base64
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

from browser import Browser, Failure
from lab import (HEIGHT, Lab, RETRIED, TESTS, WIDTH, appears, click_widget, distance, frames, same_report, served,
                 test)
import page_files  # noqa: F401, its tests are listed
import page_touch  # noqa: F401


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
            for tries_left in reversed(range(3 if call in RETRIED else 1)):
                try:
                    call(lab)
                    print(f"    ok, {time.monotonic() - began:.0f} s", flush=True)
                    break
                except (AssertionError, Failure, subprocess.SubprocessError) as problem:
                    print(f"    FAILED: {problem}{', tried again' if tries_left else ''}", flush=True)
                    if not isinstance(problem, (AssertionError, Failure)):
                        traceback.print_exc()
                    if not tries_left:
                        failed.append(call.__name__)
    if failed:
        sys.exit(f"{len(failed)} of the page's tests failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
