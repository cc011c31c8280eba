#!/usr/bin/env python3
"""Lists the public functions of core's headers: public_functions.py INCLUDE_FOLDER [TABLE_PROGRAM].

With a program, compares the list with the table of the not-finite tests: `TABLE_PROGRAM --rows` prints the functions
that its rows call, one per line. A function that no row names and a row without a function are errors.

A function is written as `Class::name(types)` or `name(types)`, without `const`, `&`, namespaces and default values;
`fit::` stands before those of bv::fit. Comparisons, conversions, assignments, destructors, copies and moves, deleted
functions, members that are not public, and the namespaces named `detail` do not count.
"""
import pathlib
import re
import subprocess
import sys


def stripped(text):
    """The source without comments, string literals and preprocessor lines."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    return re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', '""', text)


def closing(text, start):
    """Index of the bracket that closes the one at `start`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    depth, opened, closed = 0, text[start], pairs[text[start]]
    for at in range(start, len(text)):
        depth += (text[at] == opened) - (text[at] == closed)
        if depth == 0:
            return at
    raise ValueError(f"no {closed} for {text[start:start + 60]!r}")


def split_list(text):
    """The parts between commas outside brackets."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c in "(<[{") - (c in ")>]}")
        if c == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    return [p.strip() for p in [*parts, current] if p.strip()]


def plain_type(parameter):
    """`const glm::vec3& p = {}` as `vec3`."""
    parameter = re.sub(r"=.*", "", parameter, flags=re.S)
    parameter = re.sub(r"\b(const|glm::|std::|struct|class|typename|detail::)\b *|\b(glm|std|detail)::", "", parameter)
    parameter = re.sub(r"&+|\.\.\.", " ", parameter).strip()
    words = re.match(r"(.*[\w>*\])]) *\b([a-z_]\w*)$", parameter, flags=re.S)
    if words and not re.fullmatch(r"(unsigned|long|signed|short)", words[1].strip()):
        parameter = words[1]
    return re.sub(r"\s*([<>,*()])\s*", r"\1", re.sub(r"\s+", " ", parameter)).strip().replace(",", ", ")


def skip_template(text, at):
    """Index after the `template <...>` and `requires ...` that begin at `at`."""
    while True:
        match = re.match(r"\s*template\s*<", text[at:])
        if match:
            at += match.end()
            depth = 1
            while depth:
                depth += (text[at] == "<") - (text[at] == ">")
                at += 1
            continue
        match = re.match(r"\s*requires\s+requires\s*\(", text[at:])
        if match:
            body = text.index("{", closing(text, at + match.end() - 1))
            at = closing(text, body) + 1
            continue
        match = re.match(r"\s*requires\s*\(", text[at:])
        if not match:
            return at
        at = closing(text, at + match.end() - 1) + 1


def functions_in(text, scope, owner, is_public):
    """Yields the functions declared in the body of a namespace, or of the class `owner`."""
    at = 0
    while at < len(text):
        space = re.match(r"\s+|;", text[at:])
        if space:
            at += space.end()
            continue
        label = re.match(r"(public|private|protected)\s*:", text[at:])
        if label and owner:
            is_public = label[1] == "public"
            at += label.end()
            continue
        start = skip_template(text, at)
        head = re.match(r"[^;{(=]*", text[start:])[0]
        match = re.match(r"\s*(inline )?\s*namespace\s+([\w:]+)\s*$", head)
        if match and text[start + len(head)] == "{":
            end = closing(text, start + len(head))
            name = match[2].removeprefix("bv").removeprefix("::")
            if "detail" not in name.split("::"):
                inner = f"{scope}{name}::" if name else scope
                yield from functions_in(text[start + len(head) + 1:end], inner, "", True)
            at = end + 1
            continue
        match = re.match(r"\s*(struct|class|union|enum)\b(?:\s+class|\s+struct)?(?:\s*alignas\()?", head)
        if match and not re.search(r"\)\s*$", head):
            end = start + len(head)
            while text[end] not in ";{":
                end = closing(text, end) + 1 if text[end] in "(" else end + 1
            name = re.match(r"\s*(?:struct|class|union|enum)(?:\s+class|\s+struct)?\s*(?:alignas\(\w+\)\s*)?(?:\w+::)*(\w+)",
                            text[start:end])
            if text[end] == "{":
                close = closing(text, end)
                if match[1] != "enum" and name and is_public:
                    yield from functions_in(text[end + 1:close], scope, name[1], match[1] == "struct")
                end = close
            at = end + 1
            continue
        # A declaration: up to its `;`, or to the end of its body.
        end, parameters = start, None
        before = start
        while text[end] not in ";{":
            if text[end] == "=" and parameters is None and not re.search(r"operator[ =<>!+*/-]*$", text[start:end]):
                break
            if text[end] == "(":
                close = closing(text, end)
                if re.search(r"\boperator\s*$", text[start:end]):  # the name of a call operator
                    end = close + 1
                    continue
                if parameters is None and not re.search(r"\b(alignas|noexcept|decltype)\s*$", text[start:end]):
                    parameters, before = (end, close), end
                end = close + 1
            elif text[end] == ":" and text[end + 1] != ":" and text[end - 1] != ":" and parameters:
                break  # initializers of members
            else:
                end += 1
        stop = end
        if text[stop] == "=":
            tail = re.match(r"=\s*(0|default|delete)\s*;", text[stop:])
            while text[stop] != ";":
                stop = closing(text, stop) + 1 if text[stop] in "({[" else stop + 1
        else:
            tail = re.search(r"=\s*(0|default|delete)\s*$", text[start:stop])
            if text[stop] == ":":
                while not (text[stop] == "{" and re.search(r"[)}]\s*$", text[:stop]) or text[stop] == ";"):
                    opens = text[stop] in "({"
                    stop = closing(text, stop) + 1 if opens else stop + 1
            if text[stop] == "{":
                stop = closing(text, stop)
        whole = text[start:end]
        at = stop + 1
        brought = re.match(r"\s*using\s+[\w:]+::(\w+)$", whole)
        if brought and owner and is_public:
            yield f"{scope}{owner}::{brought[1]}(using)"
        if parameters is None or not is_public or re.match(r"\s*(using|typedef|friend|extern|static_assert)\b", whole):
            continue
        name = re.search(r"(operator\s*(?:\(\)|\[\])|~?\w+)\s*$", text[start:before])
        if not name or name[1].startswith("~") or (tail and tail[1] == "delete"):
            continue
        if "operator" in text[start:before] and not name[1].startswith("operator"):
            continue
        if re.search(r"::\s*$", text[start:before][:name.start()]):
            continue  # the definition of a member declared earlier
        if re.match(r"(?:static |constexpr |inline )*[\w:<>&* ]*\(\s*\*", whole.strip()):
            continue  # a pointer to a function
        if text[start:before].count("<") > text[start:before].count(">"):
            continue  # a member of some std::function
        types = [plain_type(p) for p in split_list(text[parameters[0] + 1:parameters[1]])]
        if name[1] == owner and (types in ([owner], [f"{owner}"]) or (tail and tail[1] == "default")):
            continue
        yield f"{scope}{owner + '::' if owner else ''}{name[1]}({', '.join(types)})"


def main():
    folder = pathlib.Path(sys.argv[1])
    found = {}
    # The adapters of other engines have their own tests.
    headers = sorted(h for h in folder.rglob("*.hpp") if "adapters" not in h.parts)
    for header in headers:
        for name in functions_in(stripped(header.read_text()), "", "", True):
            found.setdefault(name, header.relative_to(folder))
    if len(sys.argv) < 3:
        print("\n".join(f"{found[name]}: {name}" for name in found))
        return 0
    listed = subprocess.run([sys.argv[2], "--rows"], capture_output=True, text=True, check=True).stdout
    rows = {line for line in listed.splitlines() if line}
    missing = [name for name in found if name not in rows]
    stale = sorted(rows - found.keys())
    for name in missing:
        print(f"{found[name]}: {name} is in no row of the table in core/tests/not_finite")
    for name in stale:
        print(f"core/tests/not_finite: a row names {name}, which no public header declares")
    print(f"public functions: {len(found)} in {len(headers)} headers, {len(missing)} without a row, "
          f"{len(stale)} rows without a function")
    return 1 if missing or stale or len(found) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
