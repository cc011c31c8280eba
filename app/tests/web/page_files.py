"""Tests of the page: files that are given to it, kept by it and downloaded from it."""
import json
import struct
import subprocess
import sys

from lab import HEIGHT, ROOT, WIDTH, appears, distance, first_difference, frames, test, wavy_ball, without_times

CORNER_OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def drop(page, name, text):
    page.evaluate("""(() => {
        const data = new DataTransfer();
        data.items.add(new File([%s], %s));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    })()""" % (json.dumps(text), json.dumps(name)))


@test
def a_dropped_mesh_is_opened_and_a_saved_scene_is_downloaded(lab):
    with lab.page("#scene=welcome&run=pause") as page:
        frames(page)
        drop(page, "corner.obj", CORNER_OBJ)
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


@test
def captures_and_materials_are_dropped_as_on_the_desktop(lab):
    with lab.page("#scene=welcome&run=pause") as page:
        frames(page)
        names = ("a.bvcap", "a.jsonl", "a.OBJ", "a.bvtree", "a.mtl", "a.bin", "a.png")
        opened = page.evaluate(f"{json.dumps(names)}.map((name) => bvlab.opens(name))")
        assert opened == [True] * 4 + [False] * 3, opened


# Counts the workers.
COUNTED_WORKERS = """window.workers = 0; const Real = window.Worker;
window.Worker = function (script) {
  ++window.workers;
  if (window.noWorkers) throw new Error('no workers here');
  return new Real(window.badWorker || script);
};"""


def with_counted_workers(page, link):
    page.send("Page.addScriptToEvaluateOnNewDocument", {"source": COUNTED_WORKERS})
    page.go("about:blank")
    page.go(link)
    page.wait_for("window.bvlab && bvlab.frames() > 3", 60)


@test
def large_meshes_are_made_beside_the_frames(lab):
    """By workers, in both pages; and what they make is what the program makes by itself."""
    text = wavy_ball(120)
    (lab.scratch / "ball.obj").write_text(text)
    lab.native(str(lab.scratch / "ball.obj"), "--frames", "3", "--size", f"{WIDTH}x{HEIGHT}", "--run", "pause; camera.frame all", "--report",
               str(lab.scratch / "ball.json"), "--screenshot", str(lab.scratch / "ball.png"), "--set", "ui.panels=false")
    native = json.loads((lab.scratch / "ball.json").read_text())
    link = "#scene=welcome&set=ui.panels=false&set=ui.quality=best&run=pause"
    for address in (lab.address + "index.html", (lab.folder / "bvlab.html").resolve().as_uri()):
        page = lab.browser.open("about:blank", WIDTH, HEIGHT)
        try:
            with_counted_workers(page, address + link)
            page.evaluate("window.before = bvlab.frames()")
            drop(page, "ball.obj", text)
            page.wait_for("bvlab.report().scene === 'mesh' && !bvlab.busy()", 60)
            # Reading it, finding its hull, and preparing it to be drawn. Each has taken longer than a frame.
            assert page.evaluate("window.workers") == 3, page.evaluate("window.workers")
            assert page.evaluate("bvlab.frames() - window.before") >= 4
            assert not page.complaints, page.complaints[:5]
            page.evaluate("bvlab.run('camera.frame all')")
            frames(page)
            shown = page.evaluate("bvlab.report()")
            assert shown["errors"] == []
            for what in ("volumes", "tables", "body_list"):
                assert first_difference(without_times(native)[what], without_times(shown)[what]) is None, what
            (lab.scratch / "ball-page.png").write_bytes(page.picture())
            mean, far = distance(lab.scratch / "ball.png", lab.scratch / "ball-page.png")
            assert mean < 2 and far < 0.01, (mean, far)  # the message of the page included
        finally:
            page.close()


@test
def a_mesh_opens_without_workers_and_one_that_ends_its_worker_is_refused(lab):
    page = lab.browser.open("about:blank", WIDTH, HEIGHT)
    try:
        with_counted_workers(page, lab.address + "index.html#scene=welcome&run=pause")
        page.evaluate("window.noWorkers = true")
        drop(page, "corner.obj", CORNER_OBJ)
        page.wait_for("bvlab.report().scene === 'mesh' && !bvlab.busy()", 30)
        assert page.evaluate("[window.workers, bvlab.report().errors.length]") == [1, 0]
        # One that begins and sends nothing, like one without memory.
        page.evaluate("""window.noWorkers = false; window.badWorker = URL.createObjectURL(new Blob([
            "self.onmessage = () => { self.postMessage('begun'); self.postMessage('ended'); };"])); bvlab.run('scene welcome')""")
        page.wait_for("bvlab.report().scene === 'welcome' && !bvlab.busy()", 30)
        drop(page, "other.obj", CORNER_OBJ)
        page.wait_for("bvlab.report().errors.some((text) => /other.obj.*the mesh reader crashed on it/.test(text))", 30)
        assert page.evaluate("bvlab.report().scene") == "welcome"
        # A job that is given up takes its worker with it: the next file does not wait for it.
        page.evaluate("""window.badWorker = URL.createObjectURL(new Blob(["self.onmessage = () => self.postMessage('begun');"]))""")
        drop(page, "endless.obj", CORNER_OBJ)
        page.wait_for("bvlab.busy()", 30)
        frames(page, 5, jobs=False)
        assert page.evaluate("bvlab.busy()")
        page.evaluate("bvlab.run('jobs.cancel')")
        page.wait_for("!bvlab.busy()", 30)
        page.evaluate("window.badWorker = null")
        drop(page, "last.obj", CORNER_OBJ.replace("v 1 0 0", "v 2 0 0"))
        page.wait_for("bvlab.report().scene === 'mesh' && !bvlab.busy()", 30)
    finally:
        page.close()
