"""pack.py BUILD OUT: makes the pages out of what the build left.

OUT/index.html with its script and WebAssembly beside it, for any static host; and OUT/bvlab.html, the same in
one file, which works from a disk. OUT/example.html shows how a page of text embeds scenes.
"""
import base64
import gzip
import hashlib
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).parent
PICTURE = HERE.parents[1] / "assets/gallery/welcome-panels.png"  # what a browser shows that cannot run the lab


def source_of(text):
    """The content security policy's name for an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def fill(template, **parts):
    for name, text in parts.items():
        template = template.replace("@" + name + "@", text)
    return template


def main():
    build, out = map(pathlib.Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    template = (HERE / "index.html").read_text()
    style = "\n" + (HERE / "page.css").read_text()
    page = (HERE / "page.js").read_text()
    script = (build / "bvlab.js").read_text()
    wasm = (build / "bvlab.wasm").read_bytes()

    shutil.copyfile(build / "bvlab.wasm", out / "bvlab.wasm")
    (out / "bvlab.js").write_text(script)
    (out / "page.js").write_text(page)
    (out / "index.html").write_text(fill(
        template, STYLE=style.strip("\n"), STYLE_POLICY=source_of("\n" + style.strip("\n") + "\n"),
        POLICY="script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'", PICTURE="picture.png",
        SITE=' data-site="site/index.html"',
        SCRIPTS='<script id="engine" src="bvlab.js"></script>\n<script src="page.js"></script>'))

    shutil.copyfile(PICTURE, out / "picture.png")
    shutil.copyfile(HERE / "example.html", out / "example.html")

    packed = base64.b64encode(gzip.compress(wasm, 9, mtime=0)).decode()
    inline = [script, page]
    assert not any("</script" in text for text in inline)
    scripts = f'<script id="wasm" type="application/octet-stream">{packed}</script>\n'
    scripts += f'<script id="engine">{script}</script>\n<script>{page}</script>'
    (out / "bvlab.html").write_text(fill(
        template, STYLE=style.strip("\n"), STYLE_POLICY=source_of("\n" + style.strip("\n") + "\n"),
        POLICY="script-src " + " ".join(map(source_of, inline)) + " 'wasm-unsafe-eval'; connect-src 'none'",
        SITE="", PICTURE="data:image/png;base64," + base64.b64encode(PICTURE.read_bytes()).decode(),
        SCRIPTS=scripts))


main()
