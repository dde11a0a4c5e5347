#!/bin/sh
# libgit2's `read_tree` keeps the times of an unchanged entry of the index and forgets that the entry is marked skip-worktree.
#
# pygit2 1.18.2 (libgit2 1.9.1). `Index.read_tree` fills the index from a tree. An entry with the id and mode that the tree has keeps its
# size, times and inode, so that no file has to be read again; one expects the rest of the entry to stay as well. Its extended flags are
# cleared: a file that a sparse checkout leaves out is an ordinary one afterwards, and `git status` calls the missing file deleted. git's
# own `read-tree -m` keeps the mark.
#
# A sparse index has to be changed entry by entry, or the marks set again.
#
# Seen: "S chapter.md" before; after libgit2 "H chapter.md" with the same mtime and " D chapter.md" in git status; after git "S chapter.md".
# Needs git, python3 and pip.
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
git update-index --skip-worktree chapter.md
rm chapter.md
mtime() { git ls-files --debug chapter.md | sed -n 's/^ *mtime: //p'; }
mark() { git ls-files -t chapter.md; }

[ "$(mark)" = "S chapter.md" ] && [ -z "$(git status --porcelain)" ]
git read-tree -m HEAD
[ "$(mark)" = "S chapter.md" ]
before=$(mtime)
python3 - <<'PYTHON'
import pygit2
repo = pygit2.Repository(".")
repo.index.read_tree(repo.head.peel().tree.id)
repo.index.write()
PYTHON
echo "$(mark); status: $(git status --porcelain)"
[ "$(mark)" = "H chapter.md" ] && [ "$(mtime)" = "$before" ] && [ "$(git status --porcelain)" = " D chapter.md" ]
