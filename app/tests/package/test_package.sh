#!/usr/bin/env bash
# test_package.sh PACKAGE.deb [FOLDER]: installs the package on a bare Debian 12 in a folder, starts the program without and
# with a display, removes it, and compares what is left with what was there. As root; FOLDER keeps the bare system for
# the next time.
set -euo pipefail
package=$(realpath "$1") keep=${2:-} work=$(mktemp -d)
bare=${keep:-$work/bare} root=$work/root
here() { printf '\033[1m--> %s\033[0m\n' "$*"; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    HOME=/home/user XDG_CACHE_HOME=/home/user/.cache "$@"; }
install() { inside apt-get install -qq -y --no-install-recommends "$@" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }; }
clean() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$work"
}
trap clean EXIT

[ -f "$bare/etc/debian_version" ] || {
    here "Fetching a bare Debian 12"
    debootstrap --variant=minbase bookworm "$bare" http://deb.debian.org/debian >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
}
cp -a "$bare" "$root"
mount -t proc proc "$root/proc"
cp "$package" "$root/bvlab.deb"
inside apt-get update -qq

here "On the bare system, with nothing but what the package asks for"
install /bvlab.deb
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$root/tmp/corner.obj"
inside bvlab --headless --scene welcome --frames 30 --screenshot /tmp/welcome.png --report /tmp/welcome.json
inside bvlab --headless /tmp/corner.obj --report /tmp/corner.json
grep -q '"scene": "mesh"' "$root/tmp/corner.json"

here "On a desktop"
install xvfb xauth shared-mime-info desktop-file-utils hicolor-icon-theme gtk-update-icon-cache man-db bash-completion zsh fish
inside dpkg -P bvlab >/dev/null
inside sh -c 'rm -rf /home/user /tmp/*; ldconfig'
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/log -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
    -o -path ./var/cache \) -prune -o -type f -exec sha256sum {} + -o -printf '%y %m %p %l\n' | sort); }
files >"$work/before"
inside dpkg -i /bvlab.deb >/dev/null
inside desktop-file-validate /usr/share/applications/bvlab.desktop
grep -q '^application/x-bvlab-capture=bvlab.desktop' "$root/usr/share/applications/mimeinfo.cache"
grep -q 'x-bvlab-recording:\*.bvrec' "$root/usr/share/mime/globs2"
inside man -w bvlab >/dev/null
inside xvfb-run -a -s "-screen 0 1280x720x24" bvlab --scene obb-sat --frames 60 --screenshot /tmp/window.png --report /tmp/window.json
grep -q '"scene": "obb-sat"' "$root/tmp/window.json"
inside dpkg -P bvlab >/dev/null
inside sh -c 'rm -rf /home/user'
files >"$work/after"
here "Left behind (nothing, or this fails)"
diff "$work/before" "$work/after"
here "Passed: $(basename "$package")"
