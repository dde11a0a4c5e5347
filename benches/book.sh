#!/bin/sh
# Measures whole commands on books of 30, 300 and 3,000 chapters that the program itself writes with its offline writer,
# beside git on the same book. Ratios of one run are what counts; absolute times are the machine's. Each time stands by the clock and
# as processor time, both in milliseconds.
#
#   benches/book.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/novel unless named. FOLDER keeps the books for the next run (they take some minutes to
# write); without it they go to a temporary folder. SIZES="30 300" measures fewer. Needs git, awk, bash and /usr/bin/time.
set -eu

. "$(dirname "$0")/books.sh"
set_up "$(dirname "$0")/../target/release/novel" "$@"
alone
runs=${RUNS:-7}

thread() {
    case $(($1 % 10)) in
    1) echo "埋设 lamp_$(($1 / 10))：栈桥尽头多出一盏灯" ;;
    5) echo "推进 lamp_$(($1 / 10))：灯油每晚有人添" ;;
    9) echo "回收 lamp_$(($1 / 10))：添灯的是当年的舱单员" ;;
    *) echo 无 ;;
    esac
}

# The book of $1 chapters, with some more planned.
book() {
    [ -e "$room/written-$1" ] && return 0
    plan_book "$room/book-$1" "$1" --offline
    begun=$(now)
    write_book "$room/book-$1" "$1"
    echo "$1 chapters written in $((($(now) - begun) / 1000000000)) s" >&2
    pack_book "$room/book-$1"
    touch "$room/written-$1"
}

now() { date +%s%N; }
# The median of column $2 of the file $1, in milliseconds.
median() { cut -d' ' -f"$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] * 1000 }'; }
# Runs a command and notes its seconds, by the clock and of the processor, in the file $1.
timed() {
    to=$1
    shift
    bash -c 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1' - "$@" 2>&1 | awk '{ print $1, $2 + $3 }' >>"$to"
}
# The same for $runs runs.
timed_often() {
    : >"$1"
    i=0
    while [ $i -lt "$runs" ]; do
        timed "$@"
        i=$((i + 1))
    done
}
peak() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null | tail -1; }

row='%-8s %9s %7s %9s %7s %6s %6s %9s %7s %9s %7s %6s %6s %10s %8s\n'
printf "$row" chapters chapter CPU commit CPU ratio CPU status CPU 'git' CPU ratio CPU 'sent chars' 'peak KiB'
for size in ${SIZES:-30 300 3000}; do
    book $size
    # Nothing is deleted while there is something to measure: ext4 is slow to make files in the minutes after.
    work=$room/work-$$-$size copy=$room/copy-$$-$size
    cp -a "$room/book-$size" "$work"
    cp -a "$room/book-$size" "$copy"
    git -C "$work" status >/dev/null
    : >"$room/ours"
    : >"$room/gits"
    i=0
    while [ $i -lt "$runs" ]; do
        timed "$room/ours" "$program" -C "$work" -q continue
        # The same files by git, in a copy of the book that has everything but them.
        git -C "$work" diff --name-only HEAD~1 HEAD >"$room/names"
        while read -r file; do
            mkdir -p "$copy/$(dirname "$file")"
            cp "$work/$file" "$copy/$file"
        done <"$room/names"
        git -C "$copy" status >/dev/null
        timed "$room/gits" sh -c 'git -C "$1" add --pathspec-from-file="$2" && git -C "$1" -c core.fsync=all commit -qm chapter' - "$copy" "$room/names"
        i=$((i + 1))
    done
    sent=$("$program" -C "$work" -q --json continue | grep '"event":"completed"' | sed 's/.*"sent_chars":\([0-9]*\).*/\1/')
    timed_often "$room/status" "$program" -C "$work" status
    timed_often "$room/git-status" git -C "$work" status
    memory=$(peak "$program" -C "$work" -q continue)
    a=$(median "$room/ours" 1) b=$(median "$room/ours" 2) c=$(median "$room/gits" 1) d=$(median "$room/gits" 2)
    e=$(median "$room/status" 1) f=$(median "$room/status" 2) g=$(median "$room/git-status" 1) h=$(median "$room/git-status" 2)
    ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }
    printf "$row" $size "$a" "$b" "$c" "$d" "$(ratio "$a" "$c")" "$(ratio "$b" "$d")" \
        "$e" "$f" "$g" "$h" "$(ratio "$e" "$g")" "$(ratio "$f" "$h")" "$sent" "$memory"
done
timed_often "$room/start" "$program" --version
echo "start-up (novel --version): $(median "$room/start" 1) ms, of the processor $(median "$room/start" 2)"
rm -rf "$room"/work-$$-* "$room"/copy-$$-*
