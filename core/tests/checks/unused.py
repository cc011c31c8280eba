#!/usr/bin/env python3
"""Lists unused functions: unused.py BUILD_FOLDER [--tests-only].

The build is the preset `dev`: nothing inlined, every function in a section of its own, and the linker drops the
sections that nothing refers to. So a function is used if its name is left in some program. What is defined is what the
objects of the libraries define, and every inline function of core's headers, which one source is made to keep. What
the program, a test or a benchmark uses is used. With --tests-only it also names the program's functions that only tests
use, which is no error: some inspect the program's state. Exceptions, with reasons, are in unused-allowed.txt.
"""
import os
import re
import subprocess
import sys

build = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
OURS = re.compile(r"_ZN[KRO]*(2bv|3lab)")  # not what std makes of our types, nor what is local to a function


def names_in(files, kinds):
    """Demangled names of the functions that the files define."""
    found = set()
    for at in range(0, len(files), 200):
        listed = subprocess.run(["nm", "--defined-only", *files[at:at + 200]], capture_output=True, text=True, check=True)
        mangled = {line.split()[2] for line in listed.stdout.splitlines()
                   if len(line.split()) == 3 and line.split()[1] in kinds and OURS.match(line.split()[2])}
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
        elif parts[0] in ("core", "app") and "CMakeFiles" not in parts and "readme-example" not in parts \
                and os.access(path, os.X_OK) and is_program(path):
            programs.append(path)
            if re.match(r"(bvlab(-|$)|bench_)", file):
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


def own_name(name):
    """The qualified name, without template arguments, result and parameters."""
    name = re.sub(r"operator(<=>|<<|>>|<=|>=|<|>|->|\(\)| )", "operator_", name)
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>", "", name)
    return name.split("(")[0].split(" ")[-1]


def wanted(name):
    """False for constructors, destructors and operators, which any value type has."""
    if "{lambda" in name or "(anonymous namespace)" in name or "thunk to" in name:
        return False
    path = own_name(name).split("::")
    if len(path) == 1:  # a function of C
        return True
    return path[-1] != path[-2] and not path[-1].startswith(("~", "operator_", "operator="))


used = names_in(programs, "TWtw")
used_in_product = names_in(product, "TWtw")
findings, tests_only = [], []
for name in sorted(names_in(core_objects + app_objects, "TW")):
    if not wanted(name) or name in used_in_product:
        continue
    if name in used:
        if own_name(name).startswith("lab::"):
            tests_only.append(name)
        continue
    rule = next((rule for rule in allowed if name.startswith(rule)), None)
    if rule:
        allowed[rule] = True
    else:
        findings.append(f"{name} is not used")
findings += [f"unused-allowed.txt: {rule} is used, or gone: take the line out" for rule, met in allowed.items() if not met]
for finding in findings:
    print(finding)
if "--tests-only" in sys.argv[2:]:
    for name in tests_only:
        print(f"{name} is used by tests only")
print(f"unused: {len(core_objects)} + {len(app_objects)} objects, {len(programs)} programs, {len(findings)} findings, "
      f"{len(tests_only)} used by tests only")
sys.exit(1 if findings else 0)
