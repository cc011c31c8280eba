"""What the pages of the site refer to, and whether it is there."""
import html.parser
import pathlib
import re
from urllib.parse import quote, unquote, urldefrag, urlsplit

BARRED = {"style", "onclick", "onload", "onmouseover", "onmouseout", "onkeypress"}

AFTER_A_WHILE = "&run=step%2060&run="


class Reader(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads, self.faults, self.policy = set(), [], [], [], None
        self.feed(text)
        self.close()

    def links_of_scenes(self):
        return [link for link in self.links if "?embed#" in link]

    def handle_starttag(self, tag, pairs):
        have = dict(pairs)
        for name in ("id", "name"):
            if have.get(name) and (name == "id" or tag == "a"):
                if name == "id" and have["id"] in self.anchors:
                    self.faults.append(f"two elements are called {have['id']}")
                self.anchors.add(have[name])
        if "href" in have:
            (self.loads if tag == "link" else self.links).append(have["href"])
        if "srcset" in have:
            self.loads.append(have["srcset"])
        if "src" in have:
            (self.links if tag == "iframe" else self.loads).append(have["src"])
        if "data-scene" in have:
            self.links.append(have["data-scene"])
        if "data-run" in have:  # a button in the section of that scene, after a while
            self.links.append(f"{self.links_of_scenes()[-1]}{AFTER_A_WHILE}{quote(have['data-run'], safe='')}")
        self.faults += [f"<{tag}> has the attribute {name}" for name in BARRED & have.keys()]
        if tag == "style" or tag == "script" and "src" not in have:
            self.faults.append(f"<{tag}> inside the page")
        if tag == "img" and "alt" not in have:
            self.faults.append(f"a picture without words: {have.get('src')}")
        if tag == "meta" and have.get("http-equiv") == "Content-Security-Policy":
            self.policy = have["content"]


def read_site(folder):
    return {file: Reader(file.read_text()) for file in sorted(folder.rglob("*.html"))}


def faults_of(folder, pages, lab):
    """All that is wrong, in words. `lab`: the page of the lab, where links with a session go."""
    faults = []
    for file, page in pages.items():
        name = file.relative_to(folder)
        faults += [f"{name}: {fault}" for fault in page.faults]
        if not page.policy or "'none'" not in page.policy or re.search(r"unsafe|https?:|\*", page.policy):
            faults.append(f"{name}: its policy is {page.policy}")
        for link in page.loads + page.links:
            where, anchor = urldefrag(link)
            if urlsplit(where).scheme or where.startswith("//"):
                if link in page.loads or urlsplit(where).scheme != "https":
                    faults.append(f"{name}: {link} is on another host")
                continue
            target = (file.parent / unquote(urlsplit(where).path)).resolve() if urlsplit(where).path else file
            if target == lab:
                continue
            if not target.is_file():
                faults.append(f"{name}: {link} is not there")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                faults.append(f"{name}: {link}: there is no such place in that page")
    return faults


def sessions_of(pages, lab):
    """The links with a session, and those with what a button runs in it: what stands behind #, once each."""
    found = {}
    for file, page in pages.items():
        for link in page.links:
            where, session = urldefrag(link)
            if session and not urlsplit(where).scheme and (file.parent / urlsplit(where).path).resolve() == lab:
                found.setdefault("#" + session, file)
    return found
