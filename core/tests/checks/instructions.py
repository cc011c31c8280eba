#!/usr/bin/env python3
"""Checks that no function that the linker may share between objects has AVX instructions: instructions.py BUILD_FOLDER.

The sources in core/src/simd that end in _avx2 are compiled for more than every processor has. An inline function that
such an object defines with external linkage could become the one copy for the whole program, and would then end it with
an illegal instruction on an older machine. Looks at the objects of the preset `dev`, where nothing is inlined.
"""
import glob
import re
import subprocess
import sys

objects = sorted(glob.glob(f"{sys.argv[1]}/core/CMakeFiles/bv_core.dir/src/simd/*_avx2.cpp.o"))
if not objects:
    sys.exit(f"instructions: no objects below {sys.argv[1]}: build the preset `dev` first")
findings = 0
for path in objects:
    symbols = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout
    shared = {line.split(maxsplit=2)[2] for line in symbols.splitlines() if re.match(r"[0-9a-f]+ [WVu] ", line)}
    code = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    name = ""
    for line in code.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            name = head[1]
        elif name in shared and re.match(r"\s+[0-9a-f]+:\s+(v[a-z0-9]+|andn|bzhi|pext|pdep|mulx|[rs]\w+x)\s", line):
            print(f"{path}: {name} may be shared with other objects, and uses {line.split()[1]}")
            findings += 1
            name = ""
print(f"instructions: {len(objects)} objects, {findings} findings")
sys.exit(1 if findings else 0)
