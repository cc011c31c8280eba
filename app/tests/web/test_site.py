"""test_site.py ROOT BVLAB [BUILD/web [TEST...]]: the site around the page. Its links lead somewhere, and what it asks of the lab is known
to the lab. Without BUILD/web the site is made anew, without the library's reference; with it, the page is there, too, and
a browser looks at it."""
import contextlib
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import site_links
from browser import Browser
from lab import served

ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
BUILT = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
sys.path.insert(0, str(ROOT / "app/web/site"))
import lessons  # noqa: E402


def bvlab(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


def setUpModule():
    global FOLDER, PAGES, SCRATCH
    SCRATCH = tempfile.TemporaryDirectory(prefix="bvlab-site-")
    FOLDER = BUILT
    if not BUILT:
        FOLDER = pathlib.Path(SCRATCH.name).resolve()
        subprocess.run([sys.executable, ROOT / "app/web/site/make_site.py", ROOT, FOLDER, "--without-reference"], check=True)
        # These stand for what is left out.
        (FOLDER / "example.html").touch()
        (FOLDER / "site/reference").mkdir()
        page = (FOLDER / "site/lessons/index.html").read_text()
        (FOLDER / "site/reference/index.html").write_text(re.sub(r"<main>.*</main>", "", page, flags=re.S))
    PAGES = site_links.read_site(FOLDER / "site")


def tearDownModule():
    SCRATCH.cleanup()


class Site(unittest.TestCase):
    def test_every_link_leads_somewhere_and_no_page_breaks_its_policy(self):
        self.assertGreater(len(PAGES), 17)
        self.assertEqual(site_links.faults_of(FOLDER, PAGES, FOLDER / "index.html"), [])

    def test_the_check_finds_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch).resolve()
            (folder / "a.html").write_text("""<meta http-equiv="Content-Security-Policy" content="default-src *">
                <a href="b.html">x</a><a href="a.html#nowhere">x</a><img src="https://example.com/x.png"><p style="a">
                <script>x</script><a id="b"></a><a id="b"></a><a href="http://example.com">x</a><a href="#b">good</a>""")
            faults = site_links.faults_of(folder, site_links.read_site(folder), folder / "index.html")
        self.assertEqual(len(faults), 9, faults)

    def test_the_lab_knows_every_session_that_is_linked(self):
        """Each is opened by the program itself: scenes, lessons, pages, settings, handles."""
        example = {FOLDER / "example.html": site_links.Reader((ROOT / "app/web/example.html").read_text())}
        sessions = site_links.sessions_of(PAGES | example, FOLDER / "index.html")
        self.assertGreater(len(sessions), 100)
        for session, file in sessions.items():
            done = bvlab("--headless", "--frames", "2", "--size", "160x90", session)
            complaints = [line for line in done.stderr.splitlines() if "error" in line.lower()]
            # What a button does may need the frames of a while; that it does it is tried in the test of lessons.
            if site_links.AFTER_A_WHILE in session and done.returncode != 2:
                continue
            self.assertTrue(done.returncode == 0 and not complaints, f"{file.name}: {session}: {done.stderr}")
        for more in re.findall(r"'(&set=[^']*)'", (ROOT / "app/web/site/site.js").read_text()):
            self.assertEqual(bvlab("--headless", "--frames", "2", "#scene=welcome" + more).returncode, 0, more)
        wrong = bvlab("--headless", "--frames", "2", "#scene=nowhere")
        self.assertNotEqual(wrong.returncode, 0)

    def test_lessons_are_those_of_the_program_word_for_word(self):
        rows = [re.fullmatch(r"(\S+) +(\S+) +(.*)", row).groups() for row in bvlab("--list-lessons").stdout.splitlines()]
        for name, category, words in rows:
            page = (FOLDER / f"site/lessons/{name}.html").read_text()
            text = html.unescape(re.sub(r"<[^>]+>", "", page))
            title = html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1])
            summary = html.unescape(re.search(r'class="summary">(.*?)</p>', page)[1])
            self.assertEqual(f"{title}: {summary}", words)
            self.assertIn(f"· {category}", text)
            source = (ROOT / f"assets/lessons/{name}.md").read_text()
            self.assertEqual(page.count("<section "), len(re.split(r"^---$", source, flags=re.M)))
            shown = re.sub(r"^```(run|task|claim)\n.*?^```$", "", source, flags=re.M | re.S)
            tasks = " ".join(re.findall(r"^task: (.*)$", source, re.M))
            for word in re.findall(r"\w{4,}", re.sub(r"^```\w+$", "", shown, flags=re.M) + tasks):
                self.assertIn(word, text, name)
            for claims in re.findall(r"^```claim\n(.*?)^```$", source, re.M | re.S):
                self.assertNotIn(claims.splitlines()[0], text)
            self.assertEqual(page.count('class="task"'), len(re.findall(r"^```task$", source, re.M)))

    def test_the_sentence_about_the_lab_is_that_of_the_readme(self):
        first = (ROOT / "README.md").read_text().split("\n\n")[1].replace("\n", " ")
        self.assertIn(html.escape(first, quote=False), (FOLDER / "site/index.html").read_text())


class Reference(unittest.TestCase):
    FOLDER = ROOT / "core/include/bv"

    def words(self, name):
        return html.unescape(re.sub(r"<[^>]+>", "", (FOLDER / "site/reference" / name).read_text()))

    def test_each_module_has_a_page_with_its_headers(self):
        headers = [file for file in self.FOLDER.rglob("*") if file.suffix in (".hpp", ".h")]
        self.assertGreater(len(headers), 50)
        for file in headers:
            inner = file.relative_to(self.FOLDER)
            self.assertIn(inner.name, self.words(f"group__{inner.parts[0] if len(inner.parts) > 1 else 'base'}.html"))

    def test_it_has_what_a_module_declares(self):
        for name, module in (("obb_exact", "fit"), ("overlap", "query"), ("DynamicTree", "tree"), ("Aabb", "shapes"),
                             ("BroadphaseKind", "broadphase"), ("NodeVisited", "trace"), ("bv_capture_close", "capture"),
                             ("ProxyId", "base")):
            self.assertRegex(self.words(f"group__{module}.html"), rf"\b{name}\b")
        self.assertIn("closed box with faces parallel to the axes", self.words("structbv_1_1Aabb.html"))
        self.assertNotIn("detail", "".join(file.name for file in (FOLDER / "site/reference").iterdir()))

    def test_it_begins_with_the_example_of_the_readme(self):
        example = re.search(r"^```cpp\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)[1]
        lines = [[line.strip() for line in text.splitlines() if line.strip()] for text in (example, self.words("index.html"))]
        first = lines[1].index(lines[0][0])
        self.assertEqual(lines[1][first:first + len(lines[0])], lines[0])
        self.assertIn("prints", lines[1][first + len(lines[0])])  # and nothing else before the text goes on

    def test_its_search_knows_places_that_are_there(self):
        text = (FOLDER / "site/reference/index.js").read_text()
        rows = json.loads(text[text.index("["):text.rindex(";")])
        names = {name for name, *_ in rows}
        for name in ("obb_exact", "DynamicTree", "insert", "Aabb", "bv_capture_close", "BroadphaseKind", "bv/fit"):
            self.assertIn(name, names)
        for name, _, _, _, place in rows:
            file, _, anchor = place.partition("#")
            page = PAGES[(FOLDER / "site/reference" / file).resolve()]
            self.assertTrue(not anchor or anchor in page.anchors, f"{name}: {place}")


def in_frame(page, expression, seconds=60):
    """Until it is true inside the running scene."""
    return page.wait_for(f"document.querySelector('iframe').contentWindow.{expression}", seconds)


class InTheBrowser(unittest.TestCase):
    SIZES = {"phone": (390, 844, 2), "tablet": (820, 1180, 1), "laptop": (1280, 800, 1), "projector": (1920, 1080, 1)}

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.address = cls.stack.enter_context(served(FOLDER)) + "site/"
        cls.browser = cls.stack.enter_context(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    @contextlib.contextmanager
    def page(self, name, width=1280, height=800, ratio=1, scheme="dark"):
        page = self.browser.open("about:blank", width, height, ratio)
        try:
            page.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            page.go(self.address + name)
            page.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
            yield page
            self.assertEqual(page.complaints, [], name)
            host = self.address.removesuffix("site/")
            strangers = [at for at in page.requests if not at.startswith((host, "about:", "data:", "blob:"))]
            self.assertEqual(strangers, [], name)
        finally:
            page.close()

    def becomes(self, page, expression, value):
        """Waits until it is that JSON value; as JSON, since numbers are written in other ways."""
        for _ in range(300):
            shown = json.loads(page.evaluate(expression))
            if shown == value:
                return
            self.browser.wait(0.1)
        self.assertEqual(shown, value)

    def test_pages_fit_every_width_in_both_schemes(self):
        names = ["index.html", "lessons/index.html", "lessons/ray-box.html", "reference/index.html",
                 "reference/group__tree.html", "reference/structbv_1_1Aabb.html"]
        for name in names:
            for scheme, color in (("dark", "rgb(18, 21, 27)"), ("light", "rgb(251, 252, 254)")):
                with self.page(name, scheme=scheme) as page:
                    self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), color)
                    for size, (width, height, ratio) in self.SIZES.items():
                        page.resize(width, height, ratio)
                        page.wait_for(f"window.innerWidth === {width}")
                        wide = page.evaluate("document.documentElement.scrollWidth")
                        self.assertLessEqual(wide, width, f"{name} on a {size}")
                        self.assertGreaterEqual(page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)"), 16)

    def test_the_search_leads_to_what_it_names(self):
        with self.page("reference/index.html") as page:
            page.key("/", "Slash", text="/")
            page.wait_for("document.activeElement.id === 'search'")
            page.send("Input.insertText", {"text": "obb_ex"})
            page.wait_for("document.querySelector('#found a').textContent === 'obb_exact'")
            page.send("Input.insertText", {"text": "xyz"})
            page.wait_for("/Nothing/.test(document.getElementById('found').textContent)")
            page.evaluate("(() => { const f = document.getElementById('search'); f.value = 'DynamicTree::insert'; "
                          "f.dispatchEvent(new Event('input')); })()")
            page.wait_for("/bv::DynamicTree/.test(document.querySelector('#found .small').textContent)")
            page.key("Enter", "Enter")
            page.wait_for("/classbv_1_1DynamicTree.html#/.test(location.href)")

    def test_pictures_and_scenes_have_the_colors_of_the_page(self):
        for scheme in ("dark", "light"):
            for name in ("index.html", "lessons/ray-box.html"):
                with self.page(name, scheme=scheme) as page:
                    page.wait_for("document.querySelector('.scene img').complete")
                    shown = page.evaluate("document.querySelector('.scene img').currentSrc")
                    self.assertEqual("/pictures/light/" in shown, scheme == "light", shown)
                    page.evaluate("document.querySelector('.start').click()")
                    self.assertEqual("ui.theme=light" in page.evaluate("document.querySelector('iframe').src"), scheme == "light")
                    in_frame(page, "bvlab.frames() > 2")

    def test_a_picture_becomes_a_running_scene_and_only_one_runs(self):
        with self.page("index.html") as page:
            page.evaluate("document.querySelectorAll('.start')[0].click()")
            self.assertEqual(in_frame(page, "bvlab.frames() > 2 && document.querySelector('iframe').contentWindow.bvlab.report().scene"),
                             "obb-sat")
            page.evaluate("document.querySelectorAll('.start')[0].click()")  # the second: the first one runs
            in_frame(page, "bvlab.frames() > 2 && document.querySelector('iframe').contentWindow.bvlab.report().scene === 'ray-aabb'")
            self.assertEqual(page.evaluate("document.querySelectorAll('iframe').length"), 1)

    def test_a_lesson_s_scene_follows_the_text_and_does_the_task(self):
        rows = "JSON.stringify(document.querySelector('iframe').contentWindow.bvlab.report().tables.ray_aabb.rows)"

        def expected(*commands):
            """The table as the program has it after these."""
            report = pathlib.Path(SCRATCH.name) / "rows.json"
            bvlab("--headless", "--frames", "2", "--run", "; ".join(commands), "--report", str(report))
            return json.loads(report.read_text())["tables"]["ray_aabb"]["rows"]

        parts = next(one for one in lessons.read_all(ROOT) if one.id == "ray-box").pages
        with self.page("lessons/ray-box.html") as page:
            page.evaluate("document.querySelector('.start').click()")
            in_frame(page, "bvlab.frames() > 2")
            before = page.evaluate("history.length")
            page.evaluate("document.getElementById('page-3').scrollIntoView()")
            page.wait_for("document.querySelector('section.current').id === 'page-3'")
            self.becomes(page, rows, expected(*parts[2].run))
            page.evaluate("document.querySelector('#page-4 button.show').click()")
            page.wait_for("document.querySelector('section.current').id === 'page-4'")
            self.becomes(page, rows, expected(*parts[3].run, *parts[3].show))
            self.assertEqual(page.evaluate("history.length"), before, "the way back leads out of the page")


if not BUILT:
    del InTheBrowser, Reference  # they are not there
unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2, warnings="ignore")
