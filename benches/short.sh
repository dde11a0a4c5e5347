#!/bin/sh
# Counts the work for one chapter in books of 30 and of 1,000 chapters and compares it with the figures kept in `short.txt`: a count
# that has grown by more than 15 % fails. Processor time is compared with itself only, long book against short one, because
# machines differ. `.ci/run` calls it.
#
#   benches/short.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/debug/novel unless named; counts are the same for every profile. FOLDER keeps the books for the next run.
# KEEP=1 writes the figures of this run to `short.txt`: do so when a change has made them smaller, or larger for a reason that
# its commit gives. Needs git, awk and strace.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
set_up "$here/../target/debug/novel" "$@"
serve_model "$here/.." --words 600
alone

# The server's summaries touch no plot thread.
thread() { echo 无; }

# The book of $1 chapters, with some more planned. Short chapters by the offline writer are the quickest; a count does not depend
# on their length.
words=500-800
book() {
    [ -e "$room/written-$1" ] && return 0
    plan_book "$room/book-$1" "$1"
    write_book "$room/book-$1" "$1" --offline
    # Packs, and folders of refs that git has not packed yet, would count as well.
    pack_book "$room/book-$1"
    touch "$room/written-$1"
}

# Processor milliseconds of five chapters: the best of three runs, each on a copy of book $1 of its own.
cpu() {
    for run in 1 2 3; do
        rm -rf "$room/work"
        cp -a "$room/book-$1" "$room/work"
        git -C "$room/work" status >/dev/null
        sh -c '"$1" -C "$2" -q continue 5 --offline >/dev/null; times' - "$program" "$room/work" | tail -1 |
            awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d\n", (u[1] * 60 + u[2] + s[1] * 60 + s[2]) * 1000 }'
    done | sort -n | head -1
}

# Prints the counts of one chapter on a copy of book $1, under the names that begin with $2; $3 is a flag of `continue`.
count() {
    rm -rf "$room/work"
    cp -a "$room/book-$1" "$room/work"
    git -C "$room/work" status >/dev/null
    # The first chapter with a model finds no search index yet.
    "$program" -C "$room/work" -q continue ${3:-} >/dev/null
    strace -f -e trace=fsync,fdatasync,syncfs,write,pwrite64,writev,openat,getdents64,execve -o "$room/trace" \
        "$program" -C "$room/work" -q --json continue ${3:-} >"$room/said"
    echo "$2.syncs $(syncs_of "$room/trace")"
    echo "$2.bytes-written $(written_of "$room/trace")"
    echo "$2.files-opened $(grep -cE ' openat\(.* = [0-9]' "$room/trace")"
    echo "$2.folders-listed $(grep -cE ' getdents64\(' "$room/trace")"
    echo "$2.programs-started $(grep -cE ' execve\(.* = 0' "$room/trace")"
    echo "$2.characters-sent $(grep '"event":"completed"' "$room/said" | grep -o '"sent_chars":[0-9]*' | cut -d: -f2)"
}

for size in 30 1000; do
    # One more, so that no count is of a chapter at which a block of five or ten ends.
    book $((size + 1))
done
for size in 30 1000; do
    count $((size + 1)) "offline.$size" --offline
    count $((size + 1)) "model.$size"
done >"$room/counts"
short_cpu=$(cpu 31) long_cpu=$(cpu 1001)
rm -rf "$room/work"

echo "processor time of five chapters offline: $short_cpu ms at 30 chapters, $long_cpu ms at 1,000"
if [ -n "${KEEP:-}" ]; then
    {
        echo "# Counts of one chapter, kept by \`KEEP=1 benches/short.sh\`: without a model and with one that answers at once,"
        echo "# after 30 and after 1,000 chapters."
        cat "$room/counts"
    } >"$here/short.txt"
fi
awk -v a="$short_cpu" -v b="$long_cpu" '
    FNR == NR { if ($1 != "#") kept[$1] = $2; next }
    {
        seen[$1] = 1
        if (!($1 in kept)) { print $1 " is new: " $2; bad = 1; next }
        mark = ""
        if ($2 > kept[$1] * 1.15) { mark = "  more than 15 % above"; bad = 1 }
        printf "%-28s %9d, kept %9d%s\n", $1, $2, kept[$1], mark
    }
    END {
        for (name in kept) if (!(name in seen)) { print name " was not measured"; bad = 1 }
        # Measured at 1.1 to 1.6 for chapters this short: the index of git and the wide folders grow.
        if (b > a * 2) { printf "five chapters take %.2f times the processor time in the long book, at most 2\n", b / a; bad = 1 }
        exit bad
    }' "$here/short.txt" "$room/counts"
