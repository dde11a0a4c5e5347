#!/bin/sh
# Measures whole commands on books of 30, 300 and 3,000 chapters that the program itself writes with its offline writer,
# beside git on the same book. Ratios of one run are what counts; absolute times are the machine's.
#
#   benches/book.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/novel unless named. FOLDER keeps the books for the next run (they take some minutes to
# write); without it they go to a temporary folder. SIZES="30 300" measures fewer. Needs git, awk and /usr/bin/time.
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
    # A background packing may still be at work.
    until git -C "$room/book-$1" gc -q 2>/dev/null; do sleep 1; done
    touch "$room/written-$1"
}

now() { date +%s%N; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# Microseconds of a command's median run.
clock() {
    i=0
    while [ $i -lt $runs ]; do
        begun=$(now)
        "$@" >/dev/null 2>&1
        echo $((($(now) - begun) / 1000))
        i=$((i + 1))
    done | median
}
peak() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null | tail -1; }

printf '%-8s %12s %15s %6s %11s %14s %6s %11s %9s\n' chapters 'chapter ms' 'add+commit ms' ratio 'status ms' 'git status ms' ratio 'sent chars' 'peak KiB'
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
    while [ $i -lt $runs ]; do
        begun=$(now)
        "$program" -C "$work" -q --json continue >"$room/last.json"
        echo $((($(now) - begun) / 1000)) >>"$room/ours"
        # The same files by git, in a copy of the book that has everything but them.
        git -C "$work" diff --name-only HEAD~1 HEAD | while read -r file; do
            mkdir -p "$copy/$(dirname "$file")"
            cp "$work/$file" "$copy/$file"
        done
        git -C "$copy" status >/dev/null
        begun=$(now)
        git -C "$copy" add -A
        git -C "$copy" -c core.fsync=all commit -qm "$i"
        echo $((($(now) - begun) / 1000)) >>"$room/gits"
        i=$((i + 1))
    done
    ours=$(median <"$room/ours") gits=$(median <"$room/gits")
    status=$(clock "$program" -C "$work" status) gitstatus=$(clock git -C "$work" status)
    sent=$(grep '"event":"completed"' "$room/last.json" | sed 's/.*"sent_chars":\([0-9]*\).*/\1/')
    memory=$(peak "$program" -C "$work" -q continue)
    awk -v n=$size -v a="$ours" -v b="$gits" -v c="$status" -v d="$gitstatus" -v s="$sent" -v m="$memory" \
        'BEGIN { printf "%-8s %12.1f %15.1f %6.2f %11.1f %14.1f %6.2f %11s %9s\n", n, a/1000, b/1000, a/b, c/1000, d/1000, c/d, s, m }'
done
awk -v v="$(clock "$program" --version)" 'BEGIN { printf "start-up (novel --version): %.1f ms\n", v / 1000 }'
rm -rf "$room"/work-$$-* "$room"/copy-$$-*
