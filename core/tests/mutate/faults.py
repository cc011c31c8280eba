"""Small faults that a programmer might make, found in C++ source text.

The text is not parsed: comments, strings and preprocessor lines are blanked out, and patterns that lean on the
project's formatting (clang-format: spaces around binary operators, none inside template brackets, one statement a
line) find the places. A fault that does not compile costs little: it is dropped and another one is drawn.
"""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    path: str  # relative to the root of the source tree
    start: int  # the characters [start, end) of the file are replaced
    end: int
    replacement: str
    kind: str
    line: int  # the first line that changes, from 1


def blank_out(text):
    """`text` with comments, string literals and preprocessor lines replaced by spaces; keeps lengths and lines."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    skipped = re.compile(
        r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
        r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*""", re.S | re.M)
    return skipped.sub(spaces, text)


def closing(text, start):
    """Index of the bracket that closes the one at `start`, or -1."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    return -1


def split_arguments(text, start, end):
    """Ranges of the arguments between the brackets at `start` and `end`, without outer spaces."""
    parts, depth, begin = [], 0, start + 1
    for i in range(start + 1, end + 1):
        c = text[i]
        if c in "([{":
            depth += 1
        elif c in ")]}" and i != end:
            depth -= 1
        if i == end or (c == "," and depth == 0):
            part = text[begin:i]
            parts.append((begin + len(part) - len(part.lstrip()), i - (len(part) - len(part.rstrip()))))
            begin = i + 1
    return parts


# Code without planted faults: contract checks, attributes, promises to the compiler, capacity, log messages,
# and template heads.
SKIPPED = re.compile(
    r"\b(?:static_assert|assert|BV_ASSERT|noexcept|alignas|alignof|sizeof|decltype|requires|BV_TARGET\w*)\s*\("
    r"|\b(?:reserve|shrink_to_fit|prefetch|_mm_prefetch|perror|fprintf|fputs|log_\w+)\s*\("
    r"|\[\[|\btemplate <")


def skipped_ranges(blank):
    ranges = []
    for match in SKIPPED.finditer(blank):
        if match.group(0).endswith("<"):
            depth, i = 0, match.end() - 1
            while i < len(blank):
                depth += {"<": 1, ">": -1}.get(blank[i], 0)
                i += 1
                if depth == 0:
                    break
            ranges.append((match.start(), i))
        else:
            opening = match.start() if match.group(0) == "[[" else match.end() - 1
            ranges.append((match.start(), max(closing(blank, opening), match.end())))
    return ranges


SWAPS = [  # (kind, pattern, replacement by matched text); patterns match the text to replace
    ("comparison", r"(?<=\s)(?:<=|>=|<|>)(?=\s)", {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    ("comparison turned", r"(?<=\s)(?:<=|>=|<|>)(?=\s)", {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}),
    ("equality", r"(?<=\s)(?:==|!=)(?=\s)", {"==": "!=", "!=": "=="}),
    ("arithmetic", r"(?<=[\w\)\]] )[-+*/%](?=\s)", {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}),
    ("logic", r"(?<=\s)(?:&&|\|\|)(?=\s)", {"&&": "||", "||": "&&"}),
    ("bits", r"(?<=\s)(?:&|\||<<|>>)(?=\s)", {"&": "|", "|": "&", "<<": ">>", ">>": "<<"}),
    ("assignment", r"(?<=\s)(?:\+=|-=|\*=|/=|\|=|&=)(?=\s)",
     {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|="}),
    ("plain assignment", r"(?<=\s)(?:\+=|-=|\*=|/=|\|=|&=)(?=\s)", lambda text: "="),
    ("negation", r"(?<![\w)!])!(?=[\w(:*])", lambda text: ""),
    ("boolean", r"\b(?:true|false)\b", {"true": "false", "false": "true"}),
    ("min and max", r"\b(?:min|max)\b(?!_)", {"min": "max", "max": "min"}),
    ("min and max", r"_(?:min|max)(?=_p[sd]\b)", {"_min": "_max", "_max": "_min"}),
    ("rounding", r"\b(?:floor|ceil)\b(?=\()", {"floor": "ceil", "ceil": "floor"}),
    ("absolute value", r"\b(?:std|glm)::abs(?=\()", lambda text: ""),
    ("quantifier", r"\b(?:all_of|any_of|none_of)\b", {"all_of": "any_of", "any_of": "all_of", "none_of": "any_of"}),
    ("ends", r"\b(?:front|back)\b(?=\()", {"front": "back", "back": "front"}),
    ("bound", r"\b(?:lower|upper)(?=_bound\b)", {"lower": "upper", "upper": "lower"}),
    ("component", r"(?<=\.)[xyz]\b(?!\()", {"x": "y", "y": "z", "z": "x"}),
    ("member", r"(?<=[.>])(?:first|second|lo|hi|low|high|left|right|a|b)\b(?!\()",
     {"first": "second", "second": "first", "lo": "hi", "hi": "lo", "low": "high", "high": "low", "left": "right",
      "right": "left", "a": "b", "b": "a"}),
    ("jump", r"\b(?:break|continue)\b(?=;)", {"break": "continue", "continue": "break"}),
    ("jump removed", r"\b(?:break|continue)\b(?=;)", lambda text: ""),
    ("increment", r"(?<!\+)\+\+(?!\+)|(?<!-)--(?!-)", {"++": "--", "--": "++"}),
]


def number_faults(text):
    """The literals adjacent to the number `text`."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F']+|\d[\d']*)([uUlLzZ]*)", text)
    if match:
        value = int(match.group(1).replace("'", ""), 0) if not re.fullmatch(r"0\d+", match.group(1)) else None
        if value is None:
            return []
        near = [value + 1] + ([value - 1] if value > 0 else [])
        return [f"{n}{match.group(2)}" for n in near]
    match = re.fullmatch(r"(\d+\.?\d*(?:[eE][-+]?\d+)?)([fFlL]?)", text)
    if match:
        value = float(match.group(1))
        return [f"{n!r}{match.group(2)}" if n >= 0 else f"({n!r}{match.group(2)})" for n in (value + 1, value - 1)]
    return []


NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F']+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?)[fFuUlLzZ]*(?![\w.])")
DECLARED = re.compile(r"(?:const )?[\w:]+(?:<[^()]*>)?(?: const)?[&*]* *(?:[&*]+|\.\.\.)? ?\w*(?: = .*)?")


def find_faults(path, text):
    """Every fault that can be planted in the file."""
    blank = blank_out(text)
    closed = skipped_ranges(blank)
    found = []

    def add(start, end, replacement, kind):
        removed = kind == "statement removed"
        if any(low <= start < high or (removed and start <= low < end) for low, high in closed):
            return
        if text[start:end] == replacement:
            return
        lost = text.count("\n", start, end) - replacement.count("\n")
        found.append(Fault(path, start, end, replacement + "\n" * lost, kind, text.count("\n", 0, start) + 1))

    for kind, pattern, change in SWAPS:
        for match in re.finditer(pattern, blank):
            word = match.group(0)
            line = blank[blank.rfind("\n", 0, match.start()) + 1:match.start()]
            if kind == "increment" and re.match(r"\s*for \(", line):
                continue  # an endless loop: any test notices it
            if re.search(r"operator *$", line) or (kind == "bits" and "&" in word and re.search(r"\bauto *$", line)):
                continue
            add(match.start(), match.end(), change(word) if callable(change) else change[word], kind)

    for match in re.finditer(r"-(?=[\w(])", blank):
        before = blank[:match.start()].rstrip()
        if before and (before[-1] in "(,=<>?:[{&|+*/" or re.search(r"\breturn$", before)):
            add(match.start(), match.end(), "", "sign")
    for match in NUMBER.finditer(blank):
        # One more element in an array is not observable.
        is_room = blank[match.end()] == ">" and re.search(r"\b(?:array|GrowStack)<[^;(]*, $", blank[:match.start()][-80:])
        for near in number_faults(match.group(0))[1 if is_room else 0:]:
            add(match.start(), match.end(), near, "constant")
    for match in re.finditer(r"\b(if|while) \(", blank):
        end = closing(blank, match.end() - 1)
        if end < 0:
            continue
        condition = text[match.end():end]
        if ";" in condition:
            continue
        add(match.end(), end, "false", "condition false")
        if not re.search(r"[^=!<>]=[^=]", condition):
            add(match.end(), end, f"!({condition})", "condition negated")
            if match.group(1) == "if":
                add(match.end(), end, "true", "condition true")
    find_statements(text, blank, add)
    find_calls(text, blank, add)
    find_choices(text, blank, add)
    for match in re.finditer(r"(?<=[\w\])])\[(\w+)\](?! *[({])", blank):
        if not match.group(1).isdigit():
            add(match.start(1), match.end(1), match.group(1) + " + 1", "index")
    return found


def find_statements(text, blank, add):
    """Statements that can be removed, and results that can be replaced by a default."""
    for match in re.finditer(r"^[ \t]*(?=[\w:*(+-])", blank, re.M):
        start = match.end()
        before = blank[:start].rstrip()
        if before and before[-1] not in ";{}):" and not re.search(r"\belse$", before):
            continue
        end, depth = start, 0
        while end < len(blank) and (blank[end] != ";" or depth > 0):
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(blank[end], 0)
            if depth < 0:
                break
            end += 1
        if end >= len(blank) or blank[end] != ";":
            continue
        statement = blank[start:end]
        result = re.match(r"return\s+(?=\S)", statement)
        if result:
            if not re.fullmatch(r"(?:true|false|\{\})", statement[result.end():].strip()):
                add(start + result.end(), end, "{}", "default result")
            continue
        head = re.match(r"(?:\+\+|--|\*)?[\w:.\->\[\]()+* ]*?(?=\s*(?:[-+*/|&^%]|<<|>>)?=[^=]|\(|$)", statement)
        if head is None or re.match(r"(?:using|case|default|break|continue|goto|throw|delete|if|for|while|else|do|switch|"
                                    r"typedef|friend|namespace|struct|class|enum|template)\b", statement):
            continue
        if re.search(r"\w[&*]*\s+[\w&*]", re.sub(r"\[[^\]]*\]", "", head.group(0))):
            continue  # a type and a name: a declaration
        if re.match(r"[\w:]+$", statement):
            continue
        add(start, end, "", "statement removed")


def find_calls(text, blank, add):
    """Calls with adjacent arguments that can be swapped."""
    for match in re.finditer(r"\b(\w+)\(", blank):
        if match.group(1) in ("if", "for", "while", "switch", "return", "sizeof", "catch"):
            continue
        end = closing(blank, match.end() - 1)
        if end < 0:
            continue
        parts = split_arguments(blank, match.end() - 1, end)
        if len(parts) < 2 or any(a == b for a, b in parts):
            continue
        texts = [text[a:b] for a, b in parts]
        if all(DECLARED.fullmatch(t) and re.search(r"\w[&*>]* [&*]*\w", t) for t in texts):
            continue  # the parameters of a declaration
        commutes = match.group(1) in ("min", "max", "dot", "merge", "fmin", "fmax", "swap")
        for (a, b), (c, d) in zip(parts, parts[1:]):
            if text[a:b] == text[c:d] or "<" in blank[a:b] and ">" in blank[c:d] or commutes:
                continue
            add(a, d, text[c:d] + text[b:c] + text[a:b], "arguments swapped")


def find_choices(text, blank, add):
    """Conditional expressions with branches that can be swapped."""
    for match in re.finditer(r"(?<=\s)\?(?=\s)", blank):
        depth, i, middle = 0, match.end(), -1
        while i < len(blank):
            c = blank[i]
            if c in "([{":
                depth += 1
            elif c in ")]}":
                depth -= 1
            if depth < 0 or (depth == 0 and c in ";,"):
                break
            if depth == 0 and c == "?":
                middle = -1
                break
            if depth == 0 and c == ":" and blank[i - 1] == " " and middle < 0:
                middle = i
            i += 1
        if middle < 0:
            continue
        yes, no = text[match.end():middle].strip(), text[middle + 1:i].strip()
        if yes and no and "?" not in no:
            add(match.end(), i, f" {no} : {yes}", "choice swapped")
