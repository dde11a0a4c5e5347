#!/bin/sh
# libgit2's pack builder looks up every ref of the repository for each pack, however few objects the pack has.
#
# pygit2 1.18.2 (libgit2 1.9.1). A pack of one blob needs nothing of the refs, and `git pack-objects` given one id does not read them.
# libgit2's builder asks for the tips of all tags before it orders the objects, and resolves each ref of any kind for that: its own file,
# which is not there when git has packed the refs, and then `packed-refs`. A book with a tag for each of its chapters pays two calls of the
# system a chapter for every pack that it writes.
#
# A builder of a repository that is made of an object database alone (`git_repository_wrap_odb`) has no refs to look up, and writes
# the same pack.
#
# Seen: "2,000 tags: 4002 calls that name refs with the repository, 0 with its objects alone".
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
at=$(git rev-parse HEAD)
n=1
while [ $n -le 2000 ]; do echo "create refs/tags/ch-$n $at"; n=$((n + 1)); done | git update-ref --stdin
git pack-refs --all

cat >"$room/act.py" <<'PYTHON'
import sys, pygit2
repo = pygit2.Repository(".")
blob = repo.create_blob(b"another chapter")
if sys.argv[1] == "alone":
    objects = pygit2.Repository()
    objects.set_odb(repo.odb)
    repo = objects
builder = pygit2.PackBuilder(repo)
builder.add(blob)
assert builder.write(sys.argv[2]) is None and builder.written_objects_count == 1
PYTHON
lookups() {
    mkdir "$room/$1"
    strace -f -e trace=file -o "$room/trace" python3 "$room/act.py" "$1" "$room/$1"
    ls "$room/$1"/*.pack >/dev/null
    grep -cE '(/refs/tags/|/packed-refs)' "$room/trace" || true
}
with=$(lookups with) alone=$(lookups alone)
echo "2,000 tags: $with calls that name refs with the repository, $alone with its objects alone"
[ "$with" -ge 4000 ] && [ "$alone" -lt 20 ]
