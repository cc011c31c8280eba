"""test_install.py CMAKE BUILD SCRATCH: installs the program, and looks at what a user of the installation gets."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD = sys.argv[1:3]
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="install-", dir=sys.argv[3]))
PREFIX = SCRATCH / "a prefix"
SHARE = PREFIX / "share"


def run(*words, env=None, cwd=None, status=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd or SCRATCH,
                          env={**os.environ, "HOME": str(SCRATCH), **(env or {})})
    if status is not None and done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def bvlab(*words, prefix=PREFIX, **more):
    return run(prefix / "bin/bvlab", *words, **more)


def options():
    """The names of all options, the aliases too."""
    rows = bvlab("--list-options").stdout.splitlines()
    return [name for row in rows for name in row.split()[0].split(",") if name.startswith("-")]


def setUpModule():
    run(CMAKE, "--install", BUILD, "--prefix", PREFIX, "--component", "program")
    # A folder of that name above the program is not ours.
    (SCRATCH / "shaders").mkdir()
    (SCRATCH / "corner.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")


def tearDownModule():
    shutil.rmtree(SCRATCH)


class Program(unittest.TestCase):
    def draws_and_reads(self, prefix):
        done = bvlab("--headless", "--scene", "obb-sat", "--screenshot", "a.png", "--report", "a.json", prefix=prefix)
        self.assertEqual(done.stderr.count("error"), 0, done.stderr)
        self.assertEqual(json.loads((SCRATCH / "a.json").read_text())["scene"], "obb-sat")
        self.assertGreater((SCRATCH / "a.png").stat().st_size, 10000)
        bvlab("--headless", "corner.obj", "--report", "b.json", prefix=prefix)
        self.assertEqual(json.loads((SCRATCH / "b.json").read_text())["scene"], "mesh")

    def test_it_draws_and_reads_meshes(self):
        self.draws_and_reads(PREFIX)

    def test_it_still_does_when_the_prefix_is_moved(self):
        moved = SCRATCH / "moved"
        PREFIX.rename(moved)
        try:
            self.draws_and_reads(moved)
        finally:
            moved.rename(PREFIX)

    def test_meshes_are_read_by_the_installed_reader(self):
        reader = PREFIX / "libexec/bvlab/bvlab-mesh-reader"
        hidden = reader.with_suffix(".away")
        reader.rename(hidden)
        try:
            bvlab("--headless", "corner.obj", status=4)
        finally:
            hidden.rename(reader)

    def test_shaders_are_those_of_the_installation(self):
        """A background without light changes the picture, if it is the installed one."""
        def picture():
            bvlab("--headless", "--scene", "obb-sat", "--screenshot", "p.png")
            return (SCRATCH / "p.png").read_bytes()

        before = picture()
        name = "screen/background.frag"
        file = SHARE / "bvlab/shaders" / name
        text = file.read_text()
        dark = re.sub(r"\w+ = vec4\(", "\\g<0>0.0 * ", text)
        self.assertNotEqual(text, dark)
        elsewhere = SCRATCH / "shaders" / name
        elsewhere.parent.mkdir()
        elsewhere.write_text(dark)
        self.assertEqual(picture(), before)
        file.write_text(dark)
        try:
            self.assertNotEqual(picture(), before)
        finally:
            file.write_text(text)

    def test_a_link_to_it_works(self):
        link = SCRATCH / "linked"
        link.symlink_to(PREFIX / "bin/bvlab")
        run(link, "--headless", "corner.obj")

    def test_the_lessons_and_models_are_there(self):
        for lesson in bvlab("--list-lessons").stdout.splitlines():
            self.assertTrue((SHARE / f"bvlab/assets/lessons/{lesson.split()[0]}.md").is_file(), lesson)
        bvlab("--headless", SHARE / "bvlab/assets/voxels/island.vox")


class Documents(unittest.TestCase):
    def test_help_and_the_list_name_the_same_options(self):
        shown = re.findall(r"^  (-\S+)", bvlab("--help").stdout, re.M)
        self.assertEqual(sorted(name for row in shown for name in row.split(":")[0].split(",")), sorted(options()))

    def test_the_manual_names_every_option(self):
        page = PREFIX / "share/man/man1/bvlab.1.gz"
        said = run("man", "--warnings", "-l", page, env={"MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        self.assertEqual(said.stderr, "")
        listed = re.findall(r"^ +(-[^\s,]+(?:, -[^\s,]+)*)(?: (\S+))?$", said.stdout, re.M)
        self.assertEqual(sorted(name for row, _ in listed for name in row.split(", ")), sorted(options()))
        self.assertRegex(run("whatis", "-M", SHARE / "man", "bvlab", status=None).stdout + said.stdout, "bvlab +- ")
        self.assertNotIn(str(BUILD).encode(), gzip.decompress(page.read_bytes()))

    def test_the_menu_entry_is_valid_and_starts_what_is_installed(self):
        file = SHARE / "applications/bvlab.desktop"
        said = run("desktop-file-validate", file)
        self.assertEqual(said.stdout + said.stderr, "")
        keys = dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
        self.assertTrue((PREFIX / "bin" / keys["Exec"].split()[0]).is_file())
        for size in (16, 32, 48, 64, 128, 256):
            picture = (SHARE / f"icons/hicolor/{size}x{size}/apps/{keys['Icon']}.png").read_bytes()
            self.assertEqual([int.from_bytes(picture[at:at + 4], "big") for at in (16, 20)], [size, size])
        self.assertTrue((SHARE / f"icons/hicolor/scalable/apps/{keys['Icon']}.svg").is_file())

    def test_files_that_the_program_saves_have_their_types(self):
        types = SCRATCH / "types"
        shutil.copytree(SHARE / "mime", types / "mime")
        shutil.copy("/usr/share/mime/packages/freedesktop.org.xml", types / "mime/packages")
        said = run("update-mime-database", types / "mime", env={"XDG_DATA_HOME": str(types)})
        self.assertEqual(said.stdout + said.stderr, "")
        bvlab("--headless", "--frames", "2", "--run",
              "save s.json; save s.bvlab.json; record.save r.bvrec; save.tree t.bvtree")
        capture = b"BVCAP\r\n\x1a"
        (SCRATCH / "c.bvcap").write_bytes(capture)
        for file, kind in (("c.bvcap", "capture"), ("t.bvtree", "tree"), ("r.bvrec", "recording"), ("s.bvlab.json", "scene")):
            (SCRATCH / "bare").write_bytes((SCRATCH / file).read_bytes())
            for name in (file, "bare"):  # by its name, and by its content
                said = run("gio", "info", "-a", "standard::content-type", name,
                           env={"XDG_DATA_HOME": str(types), "XDG_DATA_DIRS": str(types)})
                self.assertIn(f"application/x-bvlab-{kind}\n", said.stdout, name)
        entry = (SHARE / "applications/bvlab.desktop").read_text()
        for kind in re.findall(r'mime-type type="([^"]+)"', (SHARE / "mime/packages/bvlab.xml").read_text()):
            self.assertIn(kind + ";", entry)


class Completions(unittest.TestCase):
    PATH = {"PATH": f"{PREFIX / 'bin'}:{os.environ['PATH']}"}

    def bash(self, *words):
        line = " ".join(f"'{word}'" for word in words)
        file = SHARE / "bash-completion/completions/bvlab"
        return run("bash", "-uc", f"""source '{file}'; COMP_WORDS=(bvlab {line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _bvlab; printf '%s\\n' ${{COMPREPLY[@]+"${{COMPREPLY[@]}}"}}""", env=self.PATH).stdout.split()

    def fish(self, line):
        file = SHARE / "fish/vendor_completions.d/bvlab.fish"
        said = run("fish", "--no-config", "-c", f"source '{file}'; complete -C 'bvlab {line}'", env=self.PATH).stdout
        return [row.split("\t")[0] for row in said.splitlines()]

    def test_bash(self):
        self.assertEqual(sorted(self.bash("-")), sorted(options()))
        self.assertEqual(self.bash("--sce"), ["--scene"])
        self.assertEqual(sorted(self.bash("--scene", "obb")), ["obb-sat", "obb-tree"])
        self.assertEqual(sorted(self.bash("--scene", "=", "obb")), ["obb-sat", "obb-tree"])
        self.assertEqual(self.bash("--lesson", "ray-b"), ["ray-box"])
        self.assertEqual(self.bash("--set", "draw.ob"), ["draw.obb="])
        self.assertEqual(self.bash("--set", "draw.obb", "="), ["true", "false"])
        self.assertEqual(self.bash("--set", "draw.obb", "=", "t"), ["true"])
        self.assertEqual(self.bash("--run", "spawn."), ["spawn.at"])
        self.assertEqual(self.bash("--ui", ""), ["on", "off"])
        self.assertEqual(self.bash("--size", ""), [])
        self.assertIn("corner.obj", self.bash("corn"))
        (SCRATCH / "one.png").touch()
        (SCRATCH / "one.txt").touch()
        self.assertEqual(self.bash("--screenshot", "one"), ["one.png"])

    def test_fish(self):
        self.assertEqual(sorted(self.fish("-")), sorted(options()))
        self.assertEqual(sorted(self.fish("--scene obb")), ["obb-sat", "obb-tree"])
        self.assertEqual(self.fish("--set draw.ob"), ["draw.obb="])
        self.assertEqual(sorted(self.fish("--ui ")), ["off", "on"])

    def test_zsh(self):
        """With its own functions replaced by ones that print: zsh completes on a terminal only."""
        file = SHARE / "zsh/vendor-completions/_bvlab"
        self.assertEqual(file.read_text(), (SHARE / "zsh/site-functions/_bvlab").read_text())
        said = run("zsh", "-fc", f"_arguments() {{ print -rl -- ${{@:2}} }}; source '{file}'", env=self.PATH).stdout
        self.assertEqual(sorted(re.findall(r"^\*?(-[^\[]+)\[", said, re.M)), sorted(options()))
        self.assertIn("--ui[Show the panels; off by default when headless]:on|off:(on off)", said)
        self.assertIn(":ID:_bvlab_names --list-scenes\n", said)
        said = run("zsh", "-fc", f"_arguments() {{ }}; compadd() {{ print -l -- $@ }}; source '{file}'; "
                   "_bvlab_names --list-settings -S=", env=self.PATH).stdout.splitlines()
        self.assertEqual(said[:2], ["-S=", "--"])
        self.assertEqual(said[2:], [row.split()[0] for row in bvlab("--list-settings").stdout.splitlines()])


unittest.main(argv=sys.argv[:1], verbosity=2)
