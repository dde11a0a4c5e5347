#!/bin/sh
# Measures the commands that could look at the whole of a long book: questions, `doctor` beside `git fsck`, a chapter written again, and a
# rollback with its undo beside `git restore` of the same paths with a commit.
#
#   benches/whole.sh PROGRAM BOOK
#
# BOOK is a written book, such as FOLDER/book-3000 of `benches/book.sh PROGRAM FOLDER`; the commands run in a copy beside it. Each row has
# seconds of the processor and by the clock and the peak memory; a cold row comes before anything is kept. BACK=1000 is the length of
# the rollback. Needs git, awk and /usr/bin/time, and strace for the bytes that a rollback writes.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
book=$(cd "$2" && pwd)
room=$(mktemp -d "$book-measured.XXXXXX")
trap 'rm -rf "$room"' EXIT
mkdir "$room/home"
alone
copy=$room/book
cp -a "$book" "$copy"
git -C "$copy" status >/dev/null
chapters=$(git -C "$copy" ls-files 'chapters/*/*.md' | wc -l)
back=${BACK:-1000}
[ "$back" -lt "$chapters" ] || back=$((chapters / 2))

row() {
    name=$1
    shift
    code=0
    /usr/bin/time -o "$room/time" -f '%U %S %e %M' "$@" >/dev/null 2>&1 || code=$?
    tail -1 "$room/time" | awk -v n="$name" -v c="$code" '{ printf "%-34s %8.2f %8.2f %8.0f%s\n", n, $1 + $2, $3, $4 / 1024, c ? "  exit code " c : "" }'
}
ours() {
    name=$1
    shift
    row "$name" "$program" -C "$copy" --no-pager "$@"
}

echo "$chapters chapters"
printf '%-34s %8s %8s %8s\n' command CPU clock MiB
row 'git status' git -C "$copy" status
ours status status
middle=$((chapters / 2))
for cold in ' (cold)' ''; do
    ours "context $((chapters + 1))$cold" context $((chapters + 1))
    ours "search$cold" search 栈桥
    ours "state at chapter $middle$cold" state "@ch-$middle"
done
ours "diff ch-$middle" diff "ch-$middle"
ours "show ch-$middle" show "ch-$middle"
ours "log $middle-$((middle + 5))" log "$middle-$((middle + 5))"
ours impact impact
ours cost cost
ours metrics metrics
ours doctor doctor
row 'git fsck --strict' git -C "$copy" fsck --strict
ours continue -q continue --offline
ours 'write 2 --force' -q write 2 --force --offline

# A rollback and its undo; the same again for the bytes that they write; and the same files by git.
from=$(git -C "$copy" rev-parse HEAD)
target=$(git -C "$copy" rev-parse "ch-$(printf %03d $((chapters - back)))")
ours "rollback of $back chapters" rollback "$target" --yes
to=$(git -C "$copy" rev-parse HEAD)
ours 'its undo' undo
written=
if command -v strace >/dev/null; then
    for step in "rollback $target --yes" undo; do
        before=$(git -C "$copy" rev-parse HEAD)
        strace -f -e trace=fsync,fdatasync,syncfs,write,pwrite64,writev -o "$room/trace" "$program" -C "$copy" -q $step >/dev/null
        files=$(git -C "$copy" diff --raw --abbrev=40 "$before" HEAD | awk '$4 !~ /^0+$/ { print $4 }' |
            git -C "$copy" cat-file --batch-check='%(objectsize)' | awk '{ s += $1 } END { printf "%d", s / 1024 }')
        written="$written${step%% *}: $(syncs_of "$room/trace") calls to sync, $(($(written_of "$room/trace") / 1024)) KiB written, files $files KiB
"
    done
fi
for step in "$to" "$from"; do
    git -C "$copy" diff --name-only HEAD "$step" >"$room/paths"
    row 'git restore of these paths, commit' sh -c 'git -C "$1" restore --source="$2" --staged --worktree --pathspec-from-file="$3" &&
        git -C "$1" -c core.fsync=all commit -qm step' - "$copy" "$step" "$room/paths"
done
printf %s "$written"
