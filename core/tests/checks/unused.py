#!/usr/bin/env python3
"""Names the functions that nothing uses: unused.py BUILD_FOLDER.

The build is the preset `dev`: nothing inlined, every function in a section of its own, and the linker drops the
sections that nothing refers to. So a function is used if its name is left in some program. What is defined is what the
objects of the libraries define, and every inline function of their headers, which one source is made to keep. A
function of core must be used by the program, a test or a benchmark; one of the program by the program or a benchmark.
Reasons for exceptions stand in unused-allowed.txt.
"""
import os
import re
import subprocess
import sys

build = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
OURS = ("bv::", "lab::")


def names_in(files, kinds):
    """Demangled names of the functions that the files define."""
    found = set()
    for at in range(0, len(files), 200):
        listed = subprocess.run(["nm", "--defined-only", *files[at:at + 200]], capture_output=True, text=True, check=True)
        mangled = {line.split()[2] for line in listed.stdout.splitlines()
                   if len(line.split()) == 3 and line.split()[1] in kinds}
        plain = subprocess.run(["c++filt"], input="\n".join(sorted(mangled)), capture_output=True, text=True, check=True)
        found.update(re.sub(r" ?\[(abi|clone)[^]]*\]", "", name) for name in plain.stdout.splitlines())
    return found


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


core_objects, app_objects, programs, product = [], [], [], []
for folder, _, files in os.walk(build):
    parts = os.path.relpath(folder, build).split(os.sep)
    for file in files:
        path = os.path.join(folder, file)
        if file.endswith(".o"):
            library = next((p for p in parts if p.endswith(".dir")), "")
            if "tests" in parts[:2] and library not in ("bv_headers_together.dir", "lab_headers_together.dir"):
                continue
            if "bench" in parts[:2] or re.match(r"(bench_|test_)", library):
                continue
            (core_objects if parts[0] == "core" else app_objects if parts[0] == "app" else []).append(path)
        elif parts[0] in ("core", "app") and "CMakeFiles" not in parts and "consumer-test" not in parts \
                and os.access(path, os.X_OK) and is_program(path):
            programs.append(path)
            if re.match(r"(bvlab$|bench_)", file):
                product.append(path)
if not core_objects or not programs:
    sys.exit(f"unused: no objects and programs below {build}: build the preset `dev` first")

allowed = {}
with open(os.path.join(here, "unused-allowed.txt")) as file:
    for line in file:
        name, _, reason = line.rstrip("\n").partition("  # ")
        if name and not name.startswith("#"):
            if not reason:
                sys.exit(f"unused-allowed.txt: no reason given for {name}")
            allowed[name] = False


def wanted(name):
    """Not ours to judge: what the compiler makes by itself, and comparisons, which values have as a matter of course."""
    if not name.startswith(OURS) or "{lambda" in name or "(anonymous namespace)" in name:
        return False
    return not re.search(r"operator(==|<=>|=)\(|::~|^(virtual thunk|non-virtual thunk)", name)


def is_constructor(name):
    path = re.sub(r"<[^<>]*>", "", name.split("(")[0]).split("::")
    return len(path) > 1 and path[-1] == path[-2]


used_anywhere = names_in(programs, "TWtw")
used_in_product = names_in(product, "TWtw")
findings = []
for objects, used, what in ((core_objects, used_anywhere, "by the program, a test or a benchmark"),
                            (app_objects, used_in_product, "by the program or a benchmark")):
    for name in sorted(names_in(objects, "TW")):
        if wanted(name) and not is_constructor(name) and name not in used:
            if what.startswith("by the program or") and name.startswith("bv::"):
                continue  # Judged with core.
            rule = next((rule for rule in allowed if name.startswith(rule)), None)
            if rule:
                allowed[rule] = True
                continue
            findings.append(f"{name} is not used {what}"
                            + (" (only by tests)" if used is used_in_product and name in used_anywhere else ""))
findings += [f"unused-allowed.txt: {rule} is used, or gone: take the line out" for rule, met in allowed.items() if not met]
for finding in findings:
    print(finding)
print(f"unused: {len(core_objects)} + {len(app_objects)} objects, {len(programs)} programs, {len(findings)} findings")
sys.exit(1 if findings else 0)
