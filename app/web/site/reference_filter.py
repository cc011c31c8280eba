"""reference_filter.py HEADER: prints a public header as Doxygen wants it. The comment at its top becomes that of the file, and
the file a part of the module that its folder is. A page of Markdown gets its own name as label."""
import pathlib
import re
import sys


def marked_code(lines):
    """Lines set in by two blanks or more, after an empty one, are code."""
    out, inside = [], False
    for i, line in enumerate(lines):
        is_code = line.startswith("  ")
        if is_code and not inside and i and not lines[i - 1].strip():
            out.append("@code{.c}")
            inside = True
        elif inside and not is_code and line.strip():
            out.append("@endcode")
            inside = False
        out.append(line)
    return out + ["@endcode"] * inside


def main():
    path = pathlib.Path(sys.argv[1])
    inner = path.as_posix().rsplit("/include/bv/", 1)[-1]
    module = inner.split("/")[0] if "/" in inner else "base"
    text = path.read_text()
    if path.suffix == ".md":
        title, _, rest = text.partition("\n")
        label = f"{path.parent.name}_format" if path.stem == "FORMAT" else path.stem.lower()
        print(title if "{#" in title else f"{title} {{#{label}}}", rest, sep="\n")
        return
    if found := re.match(r"/\*(.*?)\*/", text, re.S):
        about = [re.sub(r"^ \* ?", "", line) for line in found[1].strip().splitlines()]
    elif found := re.match(r"(?://.*\n)+", text):
        about = [line[2:].removeprefix(" ") for line in found[0].splitlines()]
    else:
        raise SystemExit(f"{path} does not begin with a comment")
    print("/**", f"@file bv/{inner}", f"@ingroup {module}", *marked_code(about), "*/", sep="\n")
    begin, end = f"/** @addtogroup {module}\n@{{ */", "/** @} */"
    text = text[found.end():]
    if path.suffix == ".hpp":  # a group around a namespace would hold the namespace, not what is in it
        text = re.sub(r"^namespace bv(?!.*detail)[\w:]* {$", rf"\g<0>\n{begin}", text, flags=re.M)
        print(re.sub(r"^}  // namespace bv(?!.*detail)", rf"{end}\n\g<0>", text, flags=re.M))
    else:  # C: its comments are plain
        text = re.sub(r"^/\* ", "/** ", text, flags=re.M)
        text = re.sub(r"^( +\w[^\n]*?[,;]?|}) +/\* ", r"\1 /**< ", text, flags=re.M)
        print(begin, text, end, sep="\n")


main()
