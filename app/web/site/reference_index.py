"""What can be searched for in the reference: read from the tag file that Doxygen writes."""
import json
import re
import xml.etree.ElementTree as ElementTree

WORDS = {"struct": "struct", "class": "class", "union": "union", "namespace": "namespace", "group": "module", "file": "header",
         "page": "page", "function": "function", "variable": "variable", "typedef": "type", "enumeration": "enum",
         "enumvalue": "value", "define": "macro"}


def entries(tags, places):
    """Rows of name, what it is, what it is in, its arguments and its place, by name. `places`: those that there are."""
    rows = {}

    def add(name, kind, inside, arguments, place):
        if kind in WORDS and name and place in places and not name.startswith("@"):
            rows.setdefault(place, [name, WORDS[kind], inside, arguments, place])

    for compound in ElementTree.fromstring(tags).iter("compound"):
        kind, name, file = compound.get("kind"), compound.findtext("name", ""), compound.findtext("filename", "")
        is_scope = kind in ("struct", "class", "union", "namespace")
        title = compound.findtext("title") or name
        scope, _, short = title.rpartition("::") if is_scope else ("", "", title)
        add(short, kind, scope, "", file if file.endswith(".html") else file + ".html")
        for member in compound.iter("member"):
            arguments = re.sub(r"< (.*?) >", r"<\1>", member.findtext("arglist", "")) if member.get("kind") == "function" else ""
            add(member.findtext("name", ""), member.get("kind"), name if is_scope else title, arguments,
                f"{member.findtext('anchorfile', '')}#{member.findtext('anchor', '')}")
    return sorted(rows.values(), key=lambda row: (row[0].lower(), row[2], row[4]))


def script(rows):
    """As a script, since a page from a disk may read nothing else."""
    return "window.referenceIndex = " + json.dumps(rows, separators=(",", ":")) + ";\n"
