#!/bin/sh
# A pack without differences stays without them: `git gc` never looks for any among its objects.
#
# Dulwich 0.24.1 packs forty versions of one chapter, each a line of forty different from the last, as whole objects in one pack
# (196 KiB). One expects `git gc` (2.47.3, and 2.39.5 likewise) to write the versions as differences, since that is its purpose. It
# says nothing, ends with 0, and the pack is as large as before, with every object whole: `pack-objects` takes an object that is whole
# in a pack for one whose comparison has come to nothing, and compares it with no other of the same pack. Loose objects, and whole
# objects of different packs, are compared as usual. `git repack -adf` (about 30 KiB) or `git gc --aggressive` (26 KiB) does compare them.
#
# A program that writes its own packs, and leaves the rest to `git gc`, therefore has to write differences itself, or put versions of one
# file in different packs, or repack with -f.
#
# Seen: whole pack 196 KiB; after gc 196 KiB, no object is a difference; after repack -adf 29 to 34 KiB.
# Needs git, python3 and pip.
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" GIT_CONFIG_NOSYSTEM=1 PYTHONPATH="$room/packages"
pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$room/packages" dulwich==0.24.1

python3 - "$room/book" <<'PYTHON'
import os, random, sys
from dulwich import porcelain
from dulwich.repo import Repo

random.seed(7)
Repo.init(sys.argv[1], mkdir=True)
os.chdir(sys.argv[1])
signs = [chr(n) for n in range(0x4E00, 0x4E00 + 2500)]
line = lambda: "".join(random.choice(signs) for _ in range(60))
lines = [line() for _ in range(40)]
for n in range(40):
    lines[random.randrange(40)] = line()
    with open("chapter.md", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    porcelain.add(".", ["chapter.md"])
    porcelain.commit(".", message=b"version %d" % n, author=b"a <a@b>", committer=b"a <a@b>")
porcelain.repack(".")
PYTHON

cd "$room/book"
kib() { git count-objects -v | sed -n 's/^size-pack: //p'; }
whole=$(kib)
git gc --quiet
after=$(kib)
differences=$(git verify-pack -v .git/objects/pack/*.idx | grep -c '^chain length' || true)
git repack -adfq
again=$(kib)
echo "$(git --version): $whole KiB whole, $after KiB after gc with $differences lengths of chains, $again KiB after repack -adf"
[ "$after" -ge $((whole * 9 / 10)) ] && [ "$differences" = 0 ] && [ $((again * 4)) -lt "$whole" ]
