#!/bin/sh
# Counts the work for one chapter with a model that answers at once, in books of 30 and of 100 chapters, and fails where a count is above
# the bar that `short.txt` has for it. Counts do not depend on the machine. `.ci/run` calls it.
#
#   benches/short.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/debug/novel unless named. FOLDER keeps the books for the next run. Needs git, awk, strace and /usr/bin/time.
set -eu

# The counts are those of any disk; memory is the quickest one.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
set_up "$here/../target/debug/novel" "$@"
serve_model "$here/.." --words 600
alone

# The server's summaries touch no plot thread.
thread() { echo 无; }

# The book of $1 chapters, with some more planned, by the offline writer, which is the quickest.
words=500-800
book() {
    [ -e "$room/written-$1" ] && return 0
    plan_book "$room/book-$1" "$1"
    write_book "$room/book-$1" "$1" --offline
    # A copy of a book that git packs in the background may lack objects.
    while [ -e "$room/book-$1/.git/novel/packing" ]; do sleep 0.1; done
    touch "$room/written-$1"
}

# The most memory that a command has at a time, in KiB.
peak_of() { /usr/bin/time -f %M "$program" "$@" 2>&1 >/dev/null | tail -1; }

for size in 30 100; do
    # One more, so that the counted chapter ends no block of five or ten.
    book $((size + 1))
    until rm -rf "$room/work" 2>/dev/null; do sleep 0.1; done
    cp -a "$room/book-$((size + 1))" "$room/work"
    git -C "$room/work" status >/dev/null
    # The first chapter with a model finds no search index yet.
    "$program" -C "$room/work" -q continue >/dev/null
    strace -f -e trace=fsync,fdatasync,syncfs -o "$room/trace" "$program" -C "$room/work" -q --json continue >"$room/said"
    echo "$size.syncs $(syncs_of "$room/trace")"
    echo "$size.characters-sent $(grep '"event":"completed"' "$room/said" | grep -o '"sent_chars":[0-9]*' | cut -d: -f2)"
    # Without the program's own pages, which are 25 MiB of an unoptimised program and 9 of a release, and grow with its features.
    echo "$size.peak-mib $((($(peak_of -C "$room/work" -q continue) - $(peak_of --version)) / 1024))"
done >"$room/counts"
awk '
    /^#/ { next }
    FNR == NR { bar[$1] = $2; next }
    { seen[$1] = 1; printf "%-22s %7d, at most %7d\n", $1, $2, bar[$1]; if (!($1 in bar) || $2 > bar[$1]) bad = 1 }
    END { for (name in bar) if (!(name in seen)) { print name " was not measured"; bad = 1 } exit bad }
' "$here/short.txt" "$room/counts"
