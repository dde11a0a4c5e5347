#!/bin/sh
# With its fsync switch on, libgit2 syncs objects and refs, and never the index.
#
# pygit2 1.18.2 (libgit2 1.9.1) with GIT_OPT_ENABLE_FSYNC_GITDIR. The switch is described as the one for everything below `.git`, so one
# expects `Index.write` to sync `index.lock` before the lock becomes `index`. An object and a ref each get their two calls (the file before
# it has its name, then the folder); the branch's log has two more. The index is renamed without any call, so that a power cut may leave
# an empty `.git/index`. git itself syncs the index where `core.fsync` has `index` or `all`.
#
# A program has to write the index under another name, sync it, and rename it itself.
#
# Seen: "object 2, branch 4, index 0" calls to fsync.
# Needs git, python3, pip and strace (Linux).
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" GIT_CONFIG_NOSYSTEM=1 PYTHONPATH="$room/packages"
pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$room/packages" pygit2==1.18.2

git init -q "$room/book"
cd "$room/book"
echo one >chapter.md
git add chapter.md
git -c user.name=a -c user.email=a@b commit -qm one
cat >"$room/act.py" <<'PYTHON'
import sys, pygit2
pygit2.option(pygit2.GIT_OPT_ENABLE_FSYNC_GITDIR, True)
repo = pygit2.Repository(".")
if sys.argv[1] == "object":
    repo.create_blob(b"another chapter")
elif sys.argv[1] == "branch":
    repo.references.create("refs/heads/side", repo.head.target)
else:
    repo.index.remove("chapter.md")
    repo.index.write()
PYTHON
syncs() {
    strace -f -e trace=fsync,fdatasync,syncfs -o "$room/trace" python3 "$room/act.py" "$1"
    grep -cE '(fsync|fdatasync|syncfs)\(' "$room/trace" || true
}
object=$(syncs object) branch=$(syncs branch) index=$(syncs index)
git diff --cached --quiet && { echo "the index was not written"; exit 1; }
echo "object $object, branch $branch, index $index"
[ "$object" -ge 2 ] && [ "$branch" -ge 2 ] && [ "$index" = 0 ]
