"""make_docs.py BVLAB OUT: the manual page and the shells' completions, from what the program says of itself.

The options come from `bvlab --list-options`, the rest of the manual from the end of `bvlab --help`. Names of scenes,
lessons, settings and commands are asked of the program whenever a word is completed.
"""
import gzip
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

# `lists`: the option that prints all values; `words`: all values; `endings`: of files, empty for any file, None for no file.
Option = namedtuple("Option", "names value help lists words endings")


def output(program, option):
    return subprocess.run([program, option], check=True, capture_output=True, text=True).stdout


def read_options(program):
    rows = [re.fullmatch(r"(\S+)(?: (\S+))? {2,}(\S.*)", line) for line in output(program, "--list-options").splitlines()]
    assert rows and all(rows), "a row of --list-options is not understood"
    known = {name for row in rows for name in row[1].split(",")}
    options = []
    for row in rows:
        names, value = row[1].split(","), row[2] or ""
        lists = {"ID": f"--list-{names[0].lstrip('-')}s", "NAME=VALUE": "--list-settings",
                 "COMMANDS": "--list-commands"}.get(value)
        assert lists is None or lists in known, f"{names[0]} takes {value}, but there is no {lists}"
        is_file = value.startswith("FILE") or names == ["FILE"]
        options.append(Option(names, value, row[3], lists, value.split("|") if "|" in value else [],
                              [value[4:]] if value[4:] and is_file else [] if is_file else None))
    return options


def read_footer(program):
    """Files, exit status and examples, as --help ends with them."""
    found = re.search(r"\nFiles: (.*?)\nExit status: (.*?)\n\nExamples:\n(.*)", output(program, "--help"), re.S)
    assert found, "--help does not end with files, exit status and examples"
    return found.groups()


# ---- the manual page

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def manual(options, footer, version):
    files, status, examples = footer
    named = [option for option in options if option.names[0].startswith("-")]
    page = [f'.TH BVLAB 1 "" "{version}" "User Commands"', ".SH NAME",
            r"bvlab \- an interactive sandbox for bounding volumes, trees and collision queries",
            ".SH SYNOPSIS", ".B bvlab", r"[\fIOPTIONS\fR] [\fIFILE\fR|\fILINK\fR]...", ".SH DESCRIPTION",
            "Bounding Volume Lab draws bodies with their spheres, boxes, hulls and tree nodes, answers collision queries",
            "each frame, and shows every step that an algorithm took. Without options it opens a window with the scene",
            r"\fBwelcome\fR; with \fB\-\-headless\fR it needs no display and writes pictures and reports.", ".SH OPTIONS"]
    for option in named:
        shown = ", ".join(rf"\fB{roff(name)}\fR" for name in option.names)
        page += [".TP", shown + (rf" \fI{roff(option.value)}\fR" if option.value else ""), roff(option.help) + "."]
    page += [".SH FILES", "Kinds that can be opened:", roff(files)]
    page += [".TP", r"\fI$XDG_CONFIG_HOME/bvlab/preferences.json\fR", r"Preferences (\fI~/.config\fR unless set)."]
    page += [".SH ENVIRONMENT", ".TP", r"\fBBVLAB_DATA_DIR\fR", r"A folder with \fIshaders\fR to use instead of the installed ones.",
             ".TP", r"\fBBVLAB_MESH_READER\fR", "The program that reads meshes, instead of the installed one."]
    page += [".SH EXIT STATUS"]
    for part in status.rstrip(".").split("; "):
        number, meaning = part.split(" ", 1)
        page += [".TP", rf"\fB{number}\fR", roff(meaning[:1].upper() + meaning[1:]) + "."]
    page += [".SH EXAMPLES", ".nf"] + [roff(line.strip()) for line in examples.strip().splitlines()] + [".fi"]
    return "\n".join(page) + "\n"


# ---- completions

BASH = r"""# Completes the command line of bvlab. Made from its own table of options.
_bvlab()
{
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} left= IFS=$'\n'
    # Bash makes an equals sign a word of its own: --scene=welcome, --set draw.obb=true.
    if [ "$current" = "=" ]; then
        left=$option current=
    elif [ "$option" = "=" ]; then
        left=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $left in
        -*) option=$left ;;
        ?*)
            COMPREPLY=($(compgen -W "$(bvlab --list-settings 2>/dev/null |
                sed -n "s/^$left .*\[\(.*|.*\)\]$/\1/p" | tr '|' '\n')" -- "$current"))
            return ;;
    esac
    case $option in
@CASES@
    esac
    case $current in
        -*) COMPREPLY=($(compgen -W '@OPTIONS@' -- "$current")) ;;
        *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
}
complete -F _bvlab bvlab
"""


def bash(options):
    cases = []
    for option in options:
        if not option.value or option.value.startswith("["):  # the next word may be anything
            continue
        if option.lists:
            suffix = "=" if option.value == "NAME=VALUE" else ""
            action = (f"COMPREPLY=($(compgen -W \"$(bvlab {option.lists} 2>/dev/null | sed 's/ .*/{suffix}/')\" -- \"$current\"))"
                      + ("; compopt -o nospace 2>/dev/null" if suffix else ""))
        elif option.words:
            words = "\\n".join(option.words)
            action = f"COMPREPLY=($(compgen -W $'{words}' -- \"$current\"))"
        elif option.endings is not None:
            filters = f" -X '!*{option.endings[0]}'" if option.endings else ""
            action = f"compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\") $(compgen -f{filters} -- \"$current\"))"
        else:
            action = "COMPREPLY=()"
        cases.append(f"        {'|'.join(option.names)})\n            {action}\n            return ;;")
    names = "\n".join(name for option in options for name in option.names if name.startswith("-"))
    return BASH.replace("@CASES@", "\n".join(cases)).replace("@OPTIONS@", names)


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh(options):
    lines = ["#compdef bvlab", "# Completes the command line of bvlab. Made from its own table of options.", "",
             "_bvlab_names() {",
             "    local -a rows; rows=(${(f)\"$(bvlab $1 2>/dev/null)\"})",
             "    compadd ${@:2} -- ${rows%% *}", "}", "", "_arguments -s \\"]
    for option in options:
        if option.lists:
            action = f"_bvlab_names {option.lists}" + (" -S=" if option.value == "NAME=VALUE" else "")
        elif option.words:
            action = f"({' '.join(option.words)})"
        elif option.endings is not None:
            action = "_files" + (f' -g "*{option.endings[0]}"' if option.endings else "")
        else:
            action = " "
        if not option.names[0].startswith("-"):
            lines.append(f"    '*:{zsh_text(option.help)}:_files' \\")
            continue
        may_repeat = "*" if "may be repeated" in option.help or option.names[0] in ("--run", "--script") else ""
        for name in option.names:
            value = f":{zsh_text(option.value)}:{action}" if option.value else ""
            if option.value.startswith("["):
                value = ":" + value  # may be left out
            lines.append(f"    '{may_repeat}{name}[{zsh_text(option.help)}]{value}' \\")
    lines[-1] = lines[-1][:-2]
    return "\n".join(lines) + "\n"


def fish(options):
    lines = ["# Completes the command line of bvlab. Made from its own table of options."]
    for option in options:
        if not option.names[0].startswith("-"):
            continue
        words = ["complete -c bvlab"]
        words += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
        if option.lists:
            equals = "=" if option.value == "NAME=VALUE" else ""
            words.append(f"-x -a \"(bvlab {option.lists} 2>/dev/null | string replace -r ' .*' '{equals}')\"")
        elif option.words:
            words.append(f"-x -a '{' '.join(option.words)}'")
        elif option.endings is not None:
            words.append("-r -F")
        elif option.value and not option.value.startswith("["):
            words.append("-x")
        help_text = option.help.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(" ".join(words) + f" -d '{help_text}'")
    return "\n".join(lines) + "\n"


def main():
    program, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    options = read_options(program)
    page = manual(options, read_footer(program), output(program, "--version").strip())
    (out / "bvlab.1.gz").write_bytes(gzip.compress(page.encode(), 9, mtime=0))
    (out / "bvlab.bash").write_text(bash(options))
    (out / "_bvlab").write_text(zsh(options))
    (out / "bvlab.fish").write_text(fish(options))


main()
