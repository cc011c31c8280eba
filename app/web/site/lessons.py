"""Reads lessons as app/lessons/lesson.cpp does: pages between lines `---`, with blocks `run` and `task`; and the
Markdown that they use as HTML."""
import html
import pathlib
import re
from dataclasses import dataclass, field

NOT_SHOWN = ("run", "task", "claim")


@dataclass
class Page:
    text: str = ""
    run: list = field(default_factory=list)
    task: str = ""
    show: list = field(default_factory=list)

    def title(self):
        return self.text.lstrip().splitlines()[0].removeprefix("# ")


@dataclass
class Lesson:
    id: str
    category: str
    title: str
    summary: str
    pages: list


def read_pages(text):
    pages, inside = [Page()], ""
    for line in text.splitlines():
        page = pages[-1]
        if line.startswith("```"):
            if inside not in NOT_SHOWN and line[3:] not in NOT_SHOWN:
                page.text += line + "\n"
            inside = "" if inside else line[3:] or "text"
        elif inside == "run":
            page.run.append(line.strip())
        elif inside == "task":
            key, _, value = line.partition(":")
            if key == "task":
                page.task = value.strip()
            elif key == "show":
                page.show.append(value.strip())
        elif not inside and line.strip() == "---":
            pages.append(Page())
        elif inside not in NOT_SHOWN:
            page.text += line + "\n"
    return pages


def read_all(root):
    """In the order of the program's catalog."""
    catalog = (root / "app/lessons/catalog.cpp").read_text()
    text = r'"((?:[^"\\]|\\.)+)"'
    rows = re.findall(r"LessonSpec\{" + r",\s*".join([text] * 4) + r"\}", catalog)
    rows = [[word.replace('\\"', '"') for word in row] for row in rows]
    folder = root / "assets/lessons"
    assert sorted(row[0] for row in rows) == sorted(file.stem for file in folder.glob("*.md")), "catalog and files differ"
    return [Lesson(*row, read_pages((folder / f"{row[0]}.md").read_text())) for row in rows]


def spans(text):
    """Emphasis and code of one paragraph."""
    parts = re.split(r"(`[^`]+`)", text)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = f"<code>{html.escape(part[1:-1])}</code>"
            continue
        assert not re.search(r"!?\[[^\]]*\]\(|<\w+>", part), f"links, pictures and HTML are not known: {part}"
        part = html.escape(part, quote=False)
        part = re.sub(r"\*\*(\S(?:.*?\S)??)\*\*", r"<strong>\1</strong>", part)
        parts[i] = re.sub(r"\*(\S(?:.*?\S)??)\*", r"<em>\1</em>", part)
    return "".join(parts)


def to_html(text, heading=2):
    """Headings, paragraphs, lists, quotes and fenced code. The first heading level becomes `heading`."""
    out, lines, at = [], text.splitlines(), 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            end = lines.index("```", at + 1)
            out.append(f"<pre><code>{html.escape(chr(10).join(lines[at + 1:end]), quote=False)}</code></pre>")
            at = end + 1
        elif found := re.match(r"(#+) (.*)", line):
            level = heading + len(found[1]) - 1
            out.append(f"<h{level}>{spans(found[2])}</h{level}>")
            at += 1
        else:
            block = []
            while at < len(lines) and lines[at].strip() and not lines[at].startswith(("#", "```")):
                block.append(lines[at])
                at += 1
            out.append(block_html(block))
    return "\n".join(out)


def block_html(lines):
    marker = re.match(r"([-*]|\d+\.) ", lines[0])
    if not marker:
        first = next((i for i, line in enumerate(lines) if re.match(r"([-*]|\d+\.) ", line)), None)
        if first is not None:  # a list interrupts a paragraph
            return block_html(lines[:first]) + "\n" + block_html(lines[first:])
        if all(line.startswith(">") for line in lines):
            return f"<blockquote><p>{spans(' '.join(line[1:].strip() for line in lines))}</p></blockquote>"
        return f"<p>{spans(' '.join(line.strip() for line in lines))}</p>"
    items = []
    for line in lines:
        if found := re.match(r"(?:[-*]|\d+\.) (.*)", line):
            items.append(found[1])
        else:
            items[-1] += " " + line.strip()
    kind = "ol" if marker[1][0].isdigit() else "ul"
    return f"<{kind}>" + "".join(f"<li>{spans(item)}</li>" for item in items) + f"</{kind}>"
