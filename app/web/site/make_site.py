"""make_site.py ROOT OUT [--without-reference]: the site around the page, OUT/site: a front page, the lessons as pages to read
with their scenes beside the text, and the library's reference made by Doxygen. The page itself is OUT/index.html."""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import quote

import lessons
import reference_index

HERE = pathlib.Path(__file__).parent
POLICY = ("default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none'; "
          "form-action 'none'")
# The scenes on the front page: title, one sentence, picture, link.
SCENES = [
    ("Fifteen axes", "Two oriented boxes are apart if one of fifteen axes separates their shadows. Drag the handles and watch the separating axis change.",
     "scenes/obb-sat", "#scene=obb-sat"),
    ("A ray through three slabs", "A box is the intersection of three slabs, so a ray hits it where its three intervals overlap. Drag the ends of the ray.",
     "scenes/ray-aabb", "#scene=ray-aabb"),
    ("A growing tree", "Each new box goes to the cheapest place, and rotations repair the balance.",
     "scenes/aabb-tree", "#scene=aabb-tree"),
]


def escape(text):
    return html.escape(text, quote=False)


def page(title, body, up="", kind="plain"):
    """`up`: the way from this page to the folder of the site."""
    links = [("index.html", "Home"), ("lessons/index.html", "Lessons"), ("reference/index.html", "Library")]
    nav = "".join(f'<a href="{up}{target}">{text}</a>' for target, text in links)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(title)}</title>
<link rel="icon" href="{up}icon.svg">
<link rel="stylesheet" href="{up}site.css">
<script src="{up}site.js" defer></script>
</head>
<body class="{kind}">
<header><a class="brand" href="{up}index.html"><img src="{up}icon.svg" alt="" width="28" height="28">Bounding Volume Lab</a>
<nav>{nav}<a class="lab" href="{up}../index.html">Open the lab</a></nav></header>
<main>
{body}
</main>
</body>
</html>
"""


def scene(up, link, picture, alt, start="Start the scene"):
    """A picture that turns into the running scene when it is clicked. Without scripts it is a link to it."""
    return (f'<div class="scene"><a class="start" href="{up}../index.html?embed{link}">'
            f'<picture><source srcset="{up}pictures/light/{picture}.png" media="(prefers-color-scheme: light)">'
            f'<img src="{up}pictures/{picture}.png" alt="{html.escape(alt)}" width="800" height="500" loading="lazy"></picture>'
            f"<span>{start}</span></a></div>")


def run_link(commands):
    return "#run=" + quote("; ".join(commands), safe="")


# ---- the front page

def front_page(root, all_lessons):
    readme = (root / "README.md").read_text()
    about = re.search(r"^# .*\n\n((?:.+\n)+)", readme)[1].replace("\n", " ")
    scenes = "".join(
        f'<figure>{scene("", link, picture, title)}<figcaption><strong>{title}.</strong> {text} '
        f'<a href="../index.html{link}">Open it in the lab</a></figcaption></figure>'
        for title, text, picture, link in SCENES)
    pictures = "".join(f'<figure><img src="pictures/{name}.png" alt="{text}" width="1280" height="720" loading="lazy">'
                       f"<figcaption>{text}</figcaption></figure>" for name, text in [
                           ("welcome-panels", "The lab with its panels: scenes, settings, statistics and the tree."),
                           ("ray-picking", "A ray through a million triangles."),
                           ("broadphases", "Eight broadphases, and how each divides one crowd."),
                           ("heatmap", "The cost of a ray through each pixel.")])
    return page("Bounding Volume Lab", f"""<section class="lead"><div>
<h1>Collision detection that you can watch</h1>
<p>{escape(about)}</p>
<p><a class="button" href="../index.html">Open the lab</a> <a class="button quiet" href="lessons/index.html">Read the lessons</a></p>
<p class="small">It runs in your browser: nothing to install, no account, and nothing you do leaves your computer.</p></div>
<img src="pictures/welcome.png" alt="Bodies with spheres, boxes and tree nodes around them, a ray, and pairs that overlap" width="1280" height="720">
</section>
<section><h2>Try it here</h2>
<p>Click a picture to start its scene. Drag to turn the view; drag the round handles to change the scene.</p>
<div class="row">{scenes}</div></section>
<section><h2>Lessons</h2>
<p>{len(all_lessons)} short lessons, with a scene beside the text and tasks that the lab checks.</p>
{lesson_list(all_lessons, "lessons/")}</section>
<section><h2>What else it shows</h2><div class="pictures">{pictures}</div></section>
<section><h2>The library under it</h2>
<p>Everything on show is computed by <code>bv::core</code>, a C++20 library that depends on GLM only: volumes and their fits,
queries, trees, broadphases, each with a trace of its steps. <a href="reference/index.html">The reference</a> has an example
to begin with, and a page for each module.</p></section>
<section><h2>In your own course page</h2>
<p>You can embed any scene in a page of your own. Copy the folder to your server, and write</p>
<pre><code>{escape('<iframe src="lab/index.html?embed#scene=ray-aabb" width="800" height="450"></iframe>')}</code></pre>
<p>“Copy a link” in the lab's menu File gives the part behind the <code>#</code> for what is on screen.
<a href="../example.html">An example</a> has three scenes between paragraphs of text, and drives them.</p></section>
""", kind="front")


# ---- the lessons

def lesson_list(all_lessons, folder):
    out, category = [], None
    for lesson in all_lessons:
        if lesson.category != category:
            out.append(("</ul></div>" if category else "") + f"<div><h3>{escape(lesson.category)}</h3><ul>")
            category = lesson.category
        out.append(f'<li><a href="{folder}{lesson.id}.html">{escape(lesson.title)}</a><br>'
                   f'<span class="small">{escape(lesson.summary)}</span></li>')
    return '<div class="lessons">' + "".join(out) + "</ul></div></div>"


def lesson_index(all_lessons):
    return page("Lessons - Bounding Volume Lab", "<h1>Lessons</h1><p>Each has the text of the lesson in the lab, with its scene "
                "beside it. The lab also checks the tasks.</p>" + lesson_list(all_lessons, ""), "../")


def lesson_page(lesson, before, after):
    sections = []
    for number, part in enumerate(lesson.pages, 1):
        in_lab = f"../../index.html#lesson={lesson.id}&amp;page={number}"
        task = ""
        if part.task:
            by_hand = all(command.startswith("scene.drag ") for command in part.show)
            where = (f'Drag it in the scene beside this text, or open it <a href="{in_lab}">in the lab</a>, which also checks it.' if by_hand else
                     f'For settings that are missing here, open it <a href="{in_lab}">in the lab</a>, which also checks the task.')
            button = f'<p><button class="show" data-run="{html.escape("; ".join(part.show))}" hidden>Show me</button></p>'
            task = (f'<aside class="task"><p><strong>Try it.</strong> {lessons.spans(part.task)}</p>'
                    f'<p class="small">{where}</p>{button if part.show else ""}</aside>')
        sections.append(f'<section id="page-{number}" data-scene="../../index.html?embed{run_link(part.run)}">'
                        f"{lessons.to_html(part.text)}\n{task}\n"
                        f'<p class="small"><a href="{in_lab}">Page {number} in the lab</a></p></section>')
    first = run_link(lesson.pages[0].run)
    other = "".join(f'<a href="{one.id}.html">{arrow.format(escape(one.title))}</a>'
                    for one, arrow in ((before, "← {}"), (after, "{} →")) if one)
    return page(f"{lesson.title} - Bounding Volume Lab", f"""<div class="text">
<p class="small"><a href="index.html">Lessons</a> · {escape(lesson.category)}</p>
<h1>{escape(lesson.title)}</h1>
<p class="summary">{escape(lesson.summary)}</p>
{"".join(sections)}
<nav class="other">{other}</nav>
</div>
<div class="beside">{scene("../", first, "lessons/" + lesson.id, lesson.title)}
<p class="small">The scene follows the text as you read.</p></div>
""", "../", "lesson")


# ---- the reference

def modules(root, library):
    """Doxygen's modules, from the table of headers in the README."""
    rows = re.findall(r"^\| `bv/(\w+)/` \| (.*) \|$", library, re.M)
    folders = {file.name for file in (root / "core/include/bv").iterdir() if file.is_dir()}
    assert {name for name, _ in rows} == folders, "the README's table of headers and the folders differ"
    rows.append(("base", "identifiers, callables, progress, assertions: what the other modules share"))
    out = ["/** @namespace bv", "The library. */"]
    for name, text in rows:
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
        title = f"bv/{name}" if name != "base" else "bv (shared)"
        out.append(f"/** @defgroup {name} {title}\n@brief {text[:1].upper() + text[1:]}. */")
    return "\n".join(out)


def reference(root, out):
    readme = (root / "README.md").read_text()
    library = re.search(r"^## The library\n(.*?)(?=^## )", readme, re.M | re.S)[1]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        text = re.sub(r"`bv/(\w+)/`", r'<a href="group__\1.html"><code>bv/\1/</code></a>', library)
        text = text.replace("(core/include/bv/capture/FORMAT.md)", "(@ref capture_format)").replace("(core/REFERENCES.md)", "(@ref references)")
        (scratch / "main.md").write_text("# bv::core {#mainpage}\n\n" + text)
        (scratch / "modules.dox").write_text(modules(root, library))
        (scratch / "header.html").write_text(doxygen_header())
        (scratch / "footer.html").write_text("</main></body></html>\n")
        (scratch / "empty.css").write_text("/* site.css and reference.css have it all. */\n")
        own = {"INPUT": f"core/include core/REFERENCES.md {scratch}/main.md {scratch}/modules.dox", "OUTPUT_DIRECTORY": out,
               "HTML_HEADER": scratch / "header.html", "HTML_FOOTER": scratch / "footer.html",
               "HTML_STYLESHEET": scratch / "empty.css", "GENERATE_TAGFILE": scratch / "tags.xml", "STRIP_FROM_PATH": f"core/include core {scratch}"}
        config = (HERE / "Doxyfile").read_text() + "".join(f"{key} = {value}\n" for key, value in own.items())
        out.mkdir()
        done = subprocess.run(["doxygen", "-"], input=config, text=True, capture_output=True, cwd=root, check=False)
        if done.returncode or done.stdout or done.stderr:
            raise SystemExit(f"doxygen:\n{done.stdout}{done.stderr}")
        tags = (scratch / "tags.xml").read_text()
    texts = {file: plain(file.read_text()) for file in out.glob("*.html")}
    places = {f"{file.name}#{name}" for file, text in texts.items() for name in re.findall(r' (?:id|name)="([^"]+)"', text)}
    for file in out.iterdir():
        file.unlink()
    for file, text in texts.items():
        file.write_text(without_dead_links(text, file.name, places))
    (out / "index.js").write_text(reference_index.script(reference_index.entries(tags, places | {file.name for file in texts})))
    for name in ("reference.css", "search.js"):
        shutil.copy(HERE / name, out)


def doxygen_header():
    head = page("$title", "", "../", "reference").split("<main>")[0]
    head = head.replace("</head>", '<link rel="stylesheet" href="reference.css">\n<script src="index.js" defer></script>\n'
                        '<script src="search.js" defer></script>\n</head>')
    parts = [("index.html", "Overview"), ("modules.html", "Modules"), ("annotated.html", "Types"),
             ("namespacemembers_func.html", "Functions"), ("files.html", "Headers"), ("references.html", "Sources")]
    return head + '<nav class="parts">' + "".join(f'<a href="{file}">{text}</a>' for file, text in parts) + (
        '<span class="search"><input id="search" type="search" placeholder="Search ( / )" aria-label="Search the reference" '
        'autocomplete="off" spellcheck="false" hidden><ul id="found" hidden></ul></span></nav>\n<main>\n<div>\n')


def plain(text):
    """Without scripts and styles of Doxygen's, which the policy forbids."""
    text = re.sub(r'<script(?! src="(?:index|search)\.js").*?</script>', "", text, flags=re.S)
    text = re.sub(r'<div class="ttc" .*</div></div>\n?', "", text)  # what a script would show beside the pointer
    text = re.sub(r'<link [^>]*href="(tabs|doxygen)[^>]*>', "", text)
    return re.sub(r' (style|onclick|onload|onmouse\w+|width|bgcolor|border|cellpadding|cellspacing)="[^"]*"', "", text)


def without_dead_links(text, name, places):
    """Doxygen links to friends and to summaries of nested types, and then does not list them."""
    return re.sub(r'<a class="el" href="([^"#]*)#([^"]+)">(.*?)</a>|<a href="#(nested-classes)">(.*?)</a>( &#124;)?',
                  lambda link: link[0] if f"{link[1] or name}#{link[2] or link[4]}" in places else link[3] or "", text, flags=re.S)


def main():
    root, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    site = out / "site"
    shutil.rmtree(site, ignore_errors=True)
    (site / "lessons").mkdir(parents=True)
    for name in ("site.css", "site.js"):
        shutil.copy(HERE / name, site)
    shutil.copy(root / "app/package/icons/bvlab.svg", site / "icon.svg")
    shutil.copytree(root / "assets/gallery", site / "pictures", ignore=shutil.ignore_patterns("*.gif"))

    all_lessons = lessons.read_all(root)
    (site / "index.html").write_text(front_page(root, all_lessons))
    (site / "lessons/index.html").write_text(lesson_index(all_lessons))
    for i, lesson in enumerate(all_lessons):
        before, after = all_lessons[i - 1] if i else None, all_lessons[i + 1] if i + 1 < len(all_lessons) else None
        (site / "lessons" / f"{lesson.id}.html").write_text(lesson_page(lesson, before, after))
    if "--without-reference" not in sys.argv:
        reference(root, site / "reference")


main()
