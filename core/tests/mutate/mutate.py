#!/usr/bin/env python3
"""Plants small faults at random, one at a time, and reports those that no test notices.

`./dev mutate [N] [SEED] [AREA...]` calls this. A fault is planted in a copy of the sources below build/mutate, never in
the files themselves; what depends on it is built there, and the tests that link it run until one is red. Faults that do
not compile or that leave the object code as it was do not count; neither do those listed in equivalents.txt, each of
which has its reason there. The same seed and sources give the same faults.

Exit status: 0 when every area reaches its share of noticed faults, 1 when one does not, 2 when no run was possible.
"""
import argparse
import fcntl
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from faults import blank_out, find_faults

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPY = ROOT / "build" / "mutate"
TREE = COPY / "build" / "release"  # as deep below its sources as the preset's own tree, so that ccache can share objects
EQUIVALENTS = pathlib.Path(__file__).resolve().parent / "equivalents.txt"
THRESHOLD = {"core": 92.0, "app": 85.0}
SOURCES = {"core": ("core/src/", "core/include/"), "app": ("app/",)}
MEMORY_LIMIT = 8 << 30  # address space of one test
ENVIRONMENT = {
    "BV_TEST_SCALE": "0.1",
    "GTEST_FAIL_FAST": "1",
    "GTEST_BRIEF": "1",
    # Warnings are off in the copy, where a fault may leave a variable unused; objects are the same without them.
    "CCACHE_IGNOREOPTIONS": "-w",
}


def die(message):
    print(f"mutate: {message}", file=sys.stderr)
    sys.exit(2)


running = None  # the one child process at a time, the leader of its own process group


def run(command, timeout=None, env=None, cwd=None, cpu_seconds=None):
    """(exit status, output); the status is None on a timeout. Ends all processes of the child."""
    global running

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu_seconds:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds), int(cpu_seconds) + 5))

    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", env={**ENVIRONMENT, **os.environ, **(env or {})},
                               cwd=cwd or TREE, start_new_session=True, preexec_fn=prepare)
    status = None
    try:
        output, _ = running.communicate(timeout=timeout)
        status = running.returncode
        if status == -signal.SIGXCPU:
            status = None
    except subprocess.TimeoutExpired:
        output = ""
    finally:
        stop_child()
    return status, output


def stop_child():
    global running
    child, running = running, None
    if child is None:
        return
    try:
        os.killpg(child.pid, signal.SIGKILL)  # including processes that a test left running
    except ProcessLookupError:
        pass
    child.wait()
    child.stdout.close()


def area_of(path):
    return "core" if path.startswith("core/") else "app"


def listed_files():
    """The files of the working tree that git does not ignore."""
    out = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    names = [n for n in out.stdout.decode(errors="surrogateescape").split("\0") if n]
    return sorted({n for n in names if (ROOT / n).is_file()})


def refresh_copy():
    """Makes the copy equal to the working tree; unchanged files keep their time. Returns the tree's digest."""
    digest, wanted = hashlib.sha256(), set()
    for name in listed_files():
        data = (ROOT / name).read_bytes()
        digest.update(name.encode(errors="surrogateescape") + b"\0" + hashlib.sha256(data).digest())
        target = COPY / name
        wanted.add(target)
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        shutil.copymode(ROOT / name, target)
    for folder, folders, files in os.walk(COPY):
        if pathlib.Path(folder) == COPY:
            folders[:] = [f for f in folders if f != "build"]
            files = [f for f in files if f != ".lock"]
        for f in files:
            if pathlib.Path(folder, f) not in wanted:
                os.unlink(os.path.join(folder, f))
    return digest.hexdigest()


def build(targets, jobs):
    return run(["cmake", "--build", ".", "-j", str(jobs), "--target", *targets])


def configure(jobs, areas):
    command = ["cmake", "--preset", "test", "-DCMAKE_CXX_FLAGS=-w",
               # Relinks one library instead of every test.
               "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
               "-DBVLAB_BATCHES=OFF",  # a fault compiles one source
               f"-DBVLAB_BUILD_APP={'ON' if 'app' in areas or (COPY / 'build/with-app').exists() else 'OFF'}"]
    if "app" in areas:
        (COPY / "build").mkdir(exist_ok=True)
        (COPY / "build/with-app").touch()
    status, output = run(command, cwd=COPY)
    if status != 0:
        die("the copy does not configure:\n" + output)
    print(f"building the copy without a fault ({', '.join(areas)})", flush=True)
    status, output = build([f"{area}/all" for area in areas], jobs)
    if status != 0:
        die("the sources do not build even without a fault:\n" + output[-4000:])


class Test:
    def __init__(self, entry):
        self.name = entry["name"]
        self.command = entry.get("command", [])
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.folder = properties.get("WORKING_DIRECTORY", str(TREE))
        self.env = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        for change in properties.get("ENVIRONMENT_MODIFICATION", []):
            name, action = change.split("=", 1)
            if action.startswith("unset"):
                self.env[name] = ""
            elif action.startswith("set:"):
                self.env[name] = action[4:]
        # The program under test, which need not be the first word (`xvfb-run ... test_app_window`).
        programs = [c for c in self.command if c.startswith(f"{TREE}/") and os.access(c, os.X_OK)]
        self.target = os.path.relpath(programs[0], TREE) if programs and os.path.isfile(programs[0]) else None
        self.seconds = 0.0

    def run(self, cpu_seconds):
        """Limits CPU time: on a busy machine a waiting test does not hang."""
        return run(self.command, timeout=20 * cpu_seconds, env=self.env, cwd=self.folder, cpu_seconds=cpu_seconds)


def list_tests(area):
    out = subprocess.run(["ctest", "--show-only=json-v1"], cwd=TREE, check=True, capture_output=True, text=True)
    tests = [Test(t) for t in json.loads(out.stdout)["tests"] if t["name"].startswith(area + ".")]
    return [t for t in tests if t.target]


def spent():
    """CPU seconds of all children so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_unharmed(tests, digest):
    """Runs and times every test once without a fault; those that fail are left out."""
    memory = COPY / "build" / "times.json"
    known = json.loads(memory.read_text()) if memory.exists() else {}
    if known.get("digest") != digest:
        known = {"digest": digest, "seconds": {}}
    for test in tests:
        if test.name not in known["seconds"]:
            begin = spent()
            status, output = test.run(900)
            known["seconds"][test.name] = spent() - begin if status == 0 else -1
            if status != 0:
                print(f"left out, red without a fault: {test.name}\n{output[-600:]}", flush=True)
            memory.write_text(json.dumps(known))
        test.seconds = known["seconds"][test.name]
    return [t for t in tests if t.seconds >= 0]


def objects():
    """Source file -> its object files, relative to the build tree."""
    result = {}
    for entry in json.loads((TREE / "compile_commands.json").read_text()):
        name = os.path.relpath(entry["file"], COPY)
        output = entry.get("output") or re.search(r" -o (\S+)", entry["command"]).group(1)
        result.setdefault(name, []).append(output)
    return result


def digest_of(path):
    try:
        return hashlib.sha256((TREE / path).read_bytes()).digest()
    except FileNotFoundError:
        return None


def dependents():
    """File of the copy -> the objects that were compiled from it, headers included."""
    _, output = run(["ninja", "-t", "deps"])
    result, current = {}, None
    for line in output.splitlines():
        if line and not line.startswith(" "):
            current = line.split(":")[0]
        elif line.strip():
            name = os.path.relpath(os.path.join(TREE, line.strip()), COPY)
            result.setdefault(name, set()).add(current)
    return result


def read_equivalents():
    """Entries of equivalents.txt, (file, lines without the fault, lines with it or None for any) -> line number."""
    entries, path, old, new = {}, None, [], []

    def close():
        if path and old and new:
            changed = None if new == ["*"] else " ".join(" ".join(new).split())
            entries[(path, " ".join(" ".join(old).split()), changed)] = number - 1
        old.clear()
        new.clear()

    number = 0
    for number, line in enumerate([*EQUIVALENTS.read_text().splitlines(), ""], 1):
        if line.startswith("- "):
            if new:
                close()
            old.append(line[2:].strip())
        elif line.startswith("+"):
            new.append(line[1:].strip())
        else:
            close()
            if line.startswith("== "):
                path = line[3:].strip()
    return entries


def changed_lines(text, fault):
    """The lines that differ, without and with the fault."""
    faulty = text[:fault.start] + fault.replacement + text[fault.end:]
    pairs = [(a.strip(), b.strip()) for a, b in zip(text.split("\n"), faulty.split("\n")) if a != b]
    return [a for a, _ in pairs], [b for _, b in pairs], faulty


def is_equivalent(entries, path, old, new):
    before = " ".join(" ".join(old).split())
    after = " ".join(" ".join(new).split())
    return (path, before, after) in entries or (path, before, None) in entries


def report_unused(entries):
    """Reports entries whose lines are no longer in their file."""
    for (path, before, _), number in entries.items():
        file = ROOT / path
        if not file.is_file() or before not in " ".join(file.read_text().split()):
            print(f"{EQUIVALENTS.name}:{number}: {path} has no such line any more: {before}")


class Draw:
    """An endless supply of faults: a line at random, a kind of fault on it, a place for it."""

    def __init__(self, files, seed):
        self.random = random.Random(seed)
        self.lines = []
        for path in files:
            faults = find_faults(path, (COPY / path).read_text())
            by_line = {}
            for fault in faults:
                by_line.setdefault(fault.line, {}).setdefault(fault.kind, []).append(fault)
            self.lines += [by_line[n] for n in sorted(by_line)]
        self.random.shuffle(self.lines)
        self.seen = set()

    def __iter__(self):
        for _ in range(8):  # more faults per line, once every line had one
            for kinds in self.lines:
                fault = self.random.choice(kinds[self.random.choice(sorted(kinds))])
                if fault not in self.seen:
                    self.seen.add(fault)
                    yield fault


class Trial:
    """Plants one fault after the other in the copy."""

    def __init__(self, tests, jobs):
        self.tests, self.jobs = tests, jobs
        self.objects, self.users = objects(), dependents()
        every = {o for group in self.objects.values() for o in group}
        self.unharmed = {o: digest_of(o) for o in every}
        self.inputs = {}
        self.memory = COPY / "build" / "killers.json"
        self.killers = json.loads(self.memory.read_text()) if self.memory.exists() else {}

    def linked(self, test, changed):
        """True if the test's program contains one of these objects."""
        if test.name not in self.inputs:
            _, output = run(["ninja", "-t", "inputs", test.target])
            self.inputs[test.name] = set(output.split())
        return not changed.isdisjoint(self.inputs[test.name])

    def order(self, path, changed):
        """Tests that noticed faults before, especially in this file, come first, then similar names, then short ones."""
        words = set(re.split(r"[/_.]", path)) - {"core", "app", "src", "include", "bv", "cpp", "hpp"}
        before = self.killers.get(path, {})
        overall = [sum(k.get(t.name, 0) for k in self.killers.values()) for t in self.tests]
        share = {t.name: n / max(sum(overall), 1) for t, n in zip(self.tests, overall)}

        def rank(test):
            alike = len(words & set(re.split(r"[_.]", test.name)))
            return (-before.get(test.name, 0) - alike - 4 * share[test.name], test.seconds)
        return sorted((t for t in self.tests if self.linked(t, changed)), key=rank)

    def try_fault(self, fault):
        """('invalid' | 'same' | 'killed' | 'survived', detail)"""
        file = COPY / fault.path
        text = file.read_text()
        try:
            file.write_text(text[:fault.start] + fault.replacement + text[fault.end:])
            return self.judge(fault)
        finally:
            file.write_text(text)

    def judge(self, fault):
        changed = set(self.objects.get(fault.path) or self.users.get(fault.path, ()))
        if not changed:
            return "invalid", "nothing is compiled from it"
        own = fault.path in self.objects  # a source, not a header
        if own or area_of(fault.path) == "core":
            status, _ = build(sorted(changed) if own else ["bv_core"], self.jobs)
            if status != 0:
                return "invalid", "does not compile"
        if own and all(digest_of(o) == self.unharmed[o] for o in changed):
            return "same", ""
        for test in self.order(fault.path, changed):
            status, _ = build([test.target, *(["bv_core"] if area_of(fault.path) == "core" else [])], self.jobs)
            if status != 0:
                return "invalid", "does not compile"
            status, output = test.run(30 + 10 * test.seconds)
            if status != 0:
                self.remember(fault.path, test.name)
                return "killed", test.name + ("" if status is not None else " (time ran out)")
        if all(digest_of(o) == self.unharmed[o] for o in changed if self.unharmed[o] is not None):
            return "same", ""
        return "survived", ""

    def remember(self, path, test):
        counts = self.killers.setdefault(path, {})
        counts[test] = counts.get(test, 0) + 1
        self.memory.write_text(json.dumps(self.killers))


def code_files(prefixes):
    return [n for n in listed_files() if n.endswith((".cpp", ".hpp")) and n.startswith(tuple(prefixes)) and
            n.startswith(SOURCES["core"] + SOURCES["app"]) and not re.search(r"/(tests|bench)/", n)]


def show(fault, old, new):
    print(f"    {fault.path}:{fault.line}: {fault.kind}")
    for line in old:
        print(f"      - {line}")
    for line in new:
        print(f"      + {line}")
    sys.stdout.flush()


def parse_arguments():
    parser = argparse.ArgumentParser(prog="dev mutate", description=__doc__.split("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=40, help="faults with an effect to plant (40)")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="which faults (1)")
    parser.add_argument("area", nargs="*", help="core, app, or the beginning of a path (default: core and app)")
    parser.add_argument("--list", action="store_true", help="show the faults, plant none")
    parser.add_argument("--tests", default="", metavar="REGEX", help="run these tests only; what they miss, others may see")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("BVLAB_JOBS") or os.cpu_count() or 2))
    options = parser.parse_args()
    if options.count < 1:
        parser.error("the count is at least 1")
    options.prefixes = []
    for area in options.area or ["core", "app"]:
        options.prefixes += SOURCES.get(area, (area,))
    return options


def lock_copy():
    """Prevents two runs from sharing the copy."""
    COPY.mkdir(parents=True, exist_ok=True)
    lock = open(COPY / ".lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        die(f"another run is at work in {COPY.relative_to(ROOT)}")
    return lock


def plant(options, files, entries, trials):
    """Plants until enough faults had an effect. Returns per folder [noticed, survived], and how many did not count."""
    totals, skipped, survivors, counted = {}, {"invalid": 0, "same": 0, "listed": 0}, [], 0
    for fault in Draw(files, options.seed):
        if counted >= options.count:
            break
        text = (COPY / fault.path).read_text()
        old, new, faulty = changed_lines(text, fault)
        if blank_out(text).split() == blank_out(faulty).split():
            continue
        if is_equivalent(entries, fault.path, old, new):
            skipped["listed"] += 1
            continue
        if options.list:
            show(fault, old, new)
            counted += 1
            continue
        begin = time.monotonic()
        verdict, detail = trials[area_of(fault.path)].try_fault(fault)
        if verdict in skipped:
            skipped[verdict] += 1
            continue
        counted += 1
        total = totals.setdefault(os.path.dirname(fault.path), [0, 0])
        total[verdict == "survived"] += 1
        seconds = time.monotonic() - begin
        print(f"{counted}/{options.count} {verdict} {fault.path}:{fault.line} {fault.kind} {detail} ({seconds:.0f} s)",
              flush=True)
        if verdict == "survived":
            survivors.append((fault, old, new))
            show(fault, old, new)
    if survivors:
        print(f"\n{len(survivors)} survived:")
        for survivor in survivors:
            show(*survivor)
    return totals, skipped


def main():
    options = parse_arguments()
    os.nice(5)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(2))
    lock = lock_copy()
    digest = refresh_copy()
    files = code_files(options.prefixes)
    if not files:
        die(f"no sources in {' '.join(options.area)}; an area is core, app, or a path below core/src, core/include or app")
    areas = sorted({area_of(f) for f in files}, reverse=True)
    entries = read_equivalents()
    report_unused(entries)
    trials = {}
    if not options.list:
        configure(options.jobs, areas)
        for area in areas:
            tests = [t for t in list_tests(area) if re.search(options.tests, t.name)]
            trials[area] = Trial(run_unharmed(tests, digest), options.jobs)
    totals, skipped = plant(options, files, entries, trials)
    lock.close()
    if options.list:
        return 0
    print(f"\n{'folder':40} noticed  of")
    for folder, (noticed, survived) in sorted(totals.items()):
        print(f"{folder:40} {noticed:7} {noticed + survived:3}")
    print(f"not counted: {skipped['invalid']} that do not compile, {skipped['same']} without a change of the code, "
          f"{skipped['listed']} listed as equivalent")
    enough = True
    for area in areas:
        counts = [c for folder, c in totals.items() if area_of(folder + "/") == area]
        noticed, survived = (sum(c[i] for c in counts) for i in (0, 1))
        share = 100.0 * noticed / max(noticed + survived, 1)
        enough = enough and share >= THRESHOLD[area]
        print(f"{area}: {noticed} of {noticed + survived} noticed, {share:.1f} % (wanted {THRESHOLD[area]:.0f} %)")
    return 0 if enough else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("mutate: interrupted", file=sys.stderr)
        sys.exit(2)
    finally:
        stop_child()
