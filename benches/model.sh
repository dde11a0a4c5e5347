#!/bin/sh
# Measures books that a model writes: processor time, milliseconds between an answer and the next call, calls to sync, bytes written,
# characters sent and the size of the repository.
# The model is a server on this machine (`benches/model.rs`) that answers at once; its chapters are pieces of a long text.
#
#   benches/model.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/novel unless named. FOLDER keeps the books for the next run; without it they go to a temporary
# folder. SIZES="30 100" measures other lengths, TEXT=FILE takes chapters from a long text instead of characters without
# a meaning, which no program can store in little room, and DELAY=0.5 has each answer take so many seconds. Needs git and awk;
# with strace it counts the calls to sync as well.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
set_up "$here/../target/release/novel" "$@"
serve_model "$here/.." --delay "${DELAY:-0}" --gaps "$room/gaps" ${TEXT:+--text "$TEXT"}
alone

# The server's summaries touch no plot thread.
thread() { echo 无; }

# The book of $1 chapters, with some more planned.
book() {
    [ -e "$room/written-$1" ] && return 0
    plan_book "$room/book-$1" "$1"
    write_book "$room/book-$1" "$1"
    touch "$room/written-$1"
}

kib() { du -sk "$1" | cut -f1; }

printf '%-8s %7s %8s %8s %8s %10s %8s %11s %10s %12s\n' chapters 'CPU ms' 'wall ms' 'gap ms' longest 'chars sent' syncs 'KiB written' '.git÷text' 'packed÷text'
for size in ${SIZES:-30 300}; do
    book $size
    work=$room/work-$size
    rm -rf "$work"
    cp -a "$room/book-$size" "$work"
    git -C "$work" status >/dev/null
    text=$(cat "$work"/chapters/*/*.md | wc -c)
    left=$(($(kib "$work/.git") * 1024))
    cp -a "$work" "$room/packed"
    pack_book "$room/packed"
    packed=$(($(kib "$room/packed/.git") * 1024))
    rm -rf "$room/packed"
    # Five chapters in one run; its start is shared among them. The shell's own times tell the processor time.
    before=$(wc -l <"$room/gaps")
    begun=$(date +%s%N)
    sh -c '"$1" -C "$2" -q --json continue 5 >"$3"; times' - "$program" "$work" "$room/said" >"$room/times"
    wall=$((($(date +%s%N) - begun) / 5000000))
    cpu=$(tail -1 "$room/times" | awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d", (u[1] * 60 + u[2] + s[1] * 60 + s[2]) * 200 }')
    # Between calls of one chapter: a draft begins the next one.
    gaps=$(tail -n +$((before + 1)) "$room/gaps" | grep -v '^draft ' | cut -d' ' -f2 | sort -n |
        awk '{ g[NR] = $1 } END { printf "%.0f %.0f", g[int((NR + 1) / 2)], g[NR] }')
    sent=$(grep '"event":"completed"' "$room/said" | grep -o '"sent_chars":[0-9]*' | cut -d: -f2 | awk '{ s += $1; n++ } END { printf "%d", n ? s / n : 0 }')
    syncs=- written=-
    if command -v strace >/dev/null; then
        strace -f -e trace=fsync,fdatasync,syncfs,write,pwrite64,writev -o "$room/trace" "$program" -C "$work" -q continue >/dev/null
        syncs=$(syncs_of "$room/trace") written=$(($(written_of "$room/trace") / 1024))
    fi
    awk -v n="$size" -v c="$cpu" -v w="$wall" -v i="$sent" -v f="$syncs" -v b="$written" -v t="$text" -v l="$left" -v p="$packed" -v g="$gaps" \
        'BEGIN { split(g, m, " "); printf "%-8s %7s %8s %8s %8s %10s %8s %11s %10.1f %12.1f\n", n, c, w, m[1], m[2], i, f, b, l / t, p / t }'
    rm -rf "$work"
done
